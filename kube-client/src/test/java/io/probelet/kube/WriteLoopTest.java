package io.probelet.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.kube.ApiResult.Unanswered;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The thread behind the heartbeat, events and readiness. */
class WriteLoopTest {
  @Test
  @DisplayName("a mistake in what is written does not end the writing for ever")
  void mistake() throws InterruptedException {
    AtomicInteger tries = new AtomicInteger();
    CountDownLatch again = new CountDownLatch(1);
    WriteLoop loop =
        new WriteLoop(
            "test",
            () -> Duration.ofHours(1),
            () -> {
              if (tries.getAndIncrement() == 0) {
                throw new IllegalStateException("expected by the test");
              }
              again.countDown();
              return false;
            },
            new Random(1));
    loop.start();
    try {
      assertThat(again.await(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      loop.close();
    }
  }

  private static WriteLoop loop(WriteLoop.Task task) {
    return new WriteLoop("test", () -> Duration.ofHours(1), task, new Random(1));
  }

  @Test
  @DisplayName("what waits at the end is written before it")
  void finish() {
    AtomicInteger left = new AtomicInteger(5);
    AtomicReference<WriteLoop> self = new AtomicReference<>();
    WriteLoop loop =
        loop(() -> self.get().isEnding() && left.getAndUpdate(n -> Math.max(0, n - 1)) > 0);
    self.set(loop);
    loop.start();
    loop.finish(Duration.ofMinutes(1));
    assertThat(left).hasValue(0);
  }

  @Test
  @Timeout(60)
  @DisplayName("whoever waits after a failure is woken once when another reaches the server again")
  void serverIsBack() throws InterruptedException {
    Semaphore tries = new Semaphore(0);
    AtomicReference<WriteLoop> self = new AtomicReference<>();
    WriteLoop loop =
        new WriteLoop(
            "test",
            () -> Duration.ofHours(1),
            () -> {
              tries.release();
              self.get().failed(new Unanswered("nothing"));
              return true;
            },
            new ApiRetry(new Random(1), Duration.ofHours(1)));
    self.set(loop);
    loop.start();
    tries.acquire();
    loop.serverIsBack();
    tries.acquire();
    loop.serverIsBack();
    assertThat(tries.tryAcquire(100, TimeUnit.MILLISECONDS)).as("its trouble is its own").isFalse();
    loop.close();
  }

  @Test
  @Timeout(60)
  @DisplayName("a server that asked to be left alone is left alone, whoever else reaches it")
  void leftAlone() throws InterruptedException {
    Semaphore tries = new Semaphore(0);
    AtomicReference<WriteLoop> self = new AtomicReference<>();
    WriteLoop loop =
        loop(() -> {
          tries.release();
          self.get().failed(new Unanswered("busy", Duration.ofMinutes(1)));
          return true;
        });
    self.set(loop);
    loop.start();
    tries.acquire();
    loop.serverIsBack();
    assertThat(tries.tryAcquire(100, TimeUnit.MILLISECONDS)).isFalse();
    loop.close();
  }

  @Test
  @Timeout(60)
  @DisplayName("a server that hangs, or fails again, does not keep the end waiting")
  void finishIsBounded() throws InterruptedException {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    WriteLoop hanging =
        loop(() -> {
          began.countDown();
          never.await();
          return true;
        });
    hanging.start();
    began.await();
    hanging.finish(Duration.ofMillis(50));

    AtomicInteger tries = new AtomicInteger();
    AtomicReference<WriteLoop> self = new AtomicReference<>();
    WriteLoop failing =
        loop(() -> {
          tries.incrementAndGet();
          self.get().failed(new Unanswered("nothing"));
          return true;
        });
    self.set(failing);
    failing.start();
    failing.finish(Duration.ofDays(1));
    assertThat(tries.get()).isBetween(1, 10);
  }
}
