package io.probelet.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.Threads;
import io.probelet.health.VirtualTime;
import io.probelet.kube.ApiResult.Unanswered;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The loop behind the heartbeat, events and readiness. */
class WriteLoopTest {
  private static final Duration PERIOD = Duration.ofHours(1);

  private final VirtualTime time = new VirtualTime();
  private final AtomicInteger tries = new AtomicInteger();
  private final AtomicReference<WriteLoop> self = new AtomicReference<>();

  private WriteLoop loop(BooleanSupplier task, ApiRetry retry) {
    WriteLoop loop = new WriteLoop("test", () -> PERIOD, task, retry, time.loop("test", 1));
    self.set(loop);
    return loop;
  }

  private WriteLoop loop(BooleanSupplier task) {
    return loop(task, new ApiRetry(new Random(1)));
  }

  /** One that is never answered. */
  private WriteLoop failing(ApiResult failure, ApiRetry retry) {
    return loop(
        () -> {
          tries.incrementAndGet();
          self.get().failed(failure);
          return true;
        },
        retry);
  }

  @Test
  @DisplayName("an internal error does not end the loop")
  void mistake() {
    WriteLoop loop =
        loop(() -> {
          if (tries.getAndIncrement() == 0) {
            throw new IllegalStateException("expected by the test");
          }
          return false;
        });
    loop.start();
    time.advance(Duration.ofMinutes(1));
    assertThat(tries).hasValue(2);
  }

  @Test
  @DisplayName("it runs when woken, and after its period; not before it has begun")
  void asksAgain() {
    WriteLoop loop =
        loop(() -> {
          tries.incrementAndGet();
          return false;
        });
    loop.wake();
    time.advance(PERIOD);
    assertThat(tries).hasValue(0);
    loop.start();
    time.runDue();
    loop.wake();
    loop.wake();
    time.advance(PERIOD.minusNanos(1));
    assertThat(tries).hasValue(2);
    time.advance(Duration.ofNanos(1));
    assertThat(tries).hasValue(3);
  }

  @Test
  @DisplayName("pending writes are made before the end")
  void finish() {
    AtomicInteger left = new AtomicInteger(5);
    WriteLoop loop =
        loop(() -> self.get().isEnding() && left.getAndUpdate(n -> Math.max(0, n - 1)) > 0);
    loop.start();
    loop.finish(Duration.ofMinutes(1));
    assertThat(left).hasValue(0);
  }

  @Test
  @DisplayName("a wait after a failure ends once when another sender reaches the server")
  void serverIsBack() {
    WriteLoop loop =
        failing(new Unanswered("nothing"), new ApiRetry(new Random(1), Duration.ofHours(1)));
    loop.start();
    time.runDue();
    assertThat(tries).hasValue(1);
    loop.wake();
    time.runDue();
    assertThat(tries).as("there is more to write, but it waits").hasValue(1);
    loop.serverIsBack();
    time.runDue();
    assertThat(tries).hasValue(2);
    loop.serverIsBack();
    time.advance(Duration.ofSeconds(29));
    assertThat(tries).as("its trouble is its own").hasValue(2);
    time.advance(Duration.ofSeconds(31));
    assertThat(tries).hasValue(3);
  }

  @Test
  @DisplayName("a success of another sender since the last one counts too")
  void serverWasBack() {
    WriteLoop loop = failing(new Unanswered("nothing"), new ApiRetry(new Random(1)));
    loop.serverIsBack();
    time.runDue();
    loop.start();
    time.runDue();
    assertThat(tries).hasValue(2);
  }

  @Test
  @DisplayName("a requested wait is honored, even if other senders succeed")
  void leftAlone() {
    WriteLoop loop =
        failing(new Unanswered("busy", Duration.ofMinutes(1)), new ApiRetry(new Random(1)));
    loop.start();
    time.runDue();
    loop.serverIsBack();
    time.advance(Duration.ofMinutes(1).minusNanos(1));
    assertThat(tries).hasValue(1);
    time.advance(Duration.ofSeconds(1));
    assertThat(tries).hasValue(2);
  }

  @Test
  @Timeout(60)
  @DisplayName("a hanging or failing server does not delay the end")
  void finishIsBounded() throws InterruptedException {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    WriteLoop hanging =
        new WriteLoop(
            "test",
            () -> PERIOD,
            () -> {
              began.countDown();
              try {
                never.await();
              } catch (InterruptedException end) {
                Thread.currentThread().interrupt();
              }
              return true;
            },
            new Random(1),
            Threads.MACHINE);
    hanging.start();
    began.await();
    hanging.finish(Duration.ofMillis(50));

    WriteLoop failing = failing(new Unanswered("nothing"), new ApiRetry(new Random(1)));
    failing.start();
    failing.finish(Duration.ofDays(1));
    assertThat(tries.get()).isEqualTo(2);
  }
}
