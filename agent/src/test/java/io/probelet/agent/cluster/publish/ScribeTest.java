package io.probelet.agent.cluster.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.kube.Pace;
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
class ScribeTest {
  @Test
  @DisplayName("a mistake in what is written does not end the writing for ever")
  void mistake() throws InterruptedException {
    AtomicInteger tries = new AtomicInteger();
    CountDownLatch again = new CountDownLatch(1);
    Scribe scribe =
        new Scribe(
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
    scribe.start();
    try {
      assertThat(again.await(60, TimeUnit.SECONDS)).isTrue();
    } finally {
      scribe.close();
    }
  }

  private static Scribe scribe(Scribe.Task task) {
    return new Scribe("test", () -> Duration.ofHours(1), task, new Random(1));
  }

  @Test
  @DisplayName("what waits at the end is written before it")
  void finish() {
    AtomicInteger left = new AtomicInteger(5);
    AtomicReference<Scribe> self = new AtomicReference<>();
    Scribe scribe =
        scribe(() -> self.get().isEnding() && left.getAndUpdate(n -> Math.max(0, n - 1)) > 0);
    self.set(scribe);
    scribe.start();
    scribe.finish(Duration.ofMinutes(1));
    assertThat(left).hasValue(0);
  }

  @Test
  @Timeout(60)
  @DisplayName("whoever waits after a failure is woken once when another reaches the server again")
  void serverIsBack() throws InterruptedException {
    Semaphore tries = new Semaphore(0);
    AtomicReference<Scribe> self = new AtomicReference<>();
    Scribe scribe =
        new Scribe(
            "test",
            () -> Duration.ofHours(1),
            () -> {
              tries.release();
              self.get().hold(new Unanswered("nothing"));
              return true;
            },
            new Pace(new Random(1), Duration.ofHours(1)));
    self.set(scribe);
    scribe.start();
    tries.acquire();
    scribe.serverIsBack();
    tries.acquire();
    scribe.serverIsBack();
    assertThat(tries.tryAcquire(100, TimeUnit.MILLISECONDS)).as("its trouble is its own").isFalse();
    scribe.close();
  }

  @Test
  @Timeout(60)
  @DisplayName("a server that asked to be left alone is left alone, whoever else reaches it")
  void leftAlone() throws InterruptedException {
    Semaphore tries = new Semaphore(0);
    AtomicReference<Scribe> self = new AtomicReference<>();
    Scribe scribe =
        scribe(() -> {
          tries.release();
          self.get().hold(new Unanswered("busy", Duration.ofMinutes(1)));
          return true;
        });
    self.set(scribe);
    scribe.start();
    tries.acquire();
    scribe.serverIsBack();
    assertThat(tries.tryAcquire(100, TimeUnit.MILLISECONDS)).isFalse();
    scribe.close();
  }

  @Test
  @Timeout(60)
  @DisplayName("a server that hangs, or fails again, does not keep the end waiting")
  void finishIsBounded() throws InterruptedException {
    CountDownLatch began = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    Scribe hanging =
        scribe(() -> {
          began.countDown();
          never.await();
          return true;
        });
    hanging.start();
    began.await();
    hanging.finish(Duration.ofMillis(50));

    AtomicInteger tries = new AtomicInteger();
    AtomicReference<Scribe> self = new AtomicReference<>();
    Scribe failing =
        scribe(() -> {
          tries.incrementAndGet();
          self.get().hold(new Unanswered("nothing"));
          return true;
        });
    self.set(failing);
    failing.start();
    failing.finish(Duration.ofDays(1));
    assertThat(tries.get()).isBetween(1, 10);
  }
}
