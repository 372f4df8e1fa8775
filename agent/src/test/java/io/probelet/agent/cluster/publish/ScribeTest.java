package io.probelet.agent.cluster.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

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
}
