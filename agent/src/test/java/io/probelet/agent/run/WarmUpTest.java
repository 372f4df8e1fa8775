package io.probelet.agent.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.SystemClock;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.service.ProbeService;
import io.probelet.probe.service.SocketNetwork;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** W-21: the probes before the first that counts. */
class WarmUpTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final SocketNetwork network = SocketNetwork.start(1, SystemClock.INSTANCE);
  private final ProbeService service =
      ProbeService.builder().network(network).runtime(new FakeRuntime()).start();

  @AfterEach
  void close() {
    service.close();
  }

  @Test
  @DisplayName("W-21 each usual handler is probed four times, and no listener hears of it")
  void usual() {
    AtomicInteger heard = new AtomicInteger();
    service
        .engine()
        .addListener(
            new ProbeListener() {
              @Override
              public void probed(Probed probe) {
                heard.incrementAndGet();
              }
            });
    WarmUp warmUp = WarmUp.start(service, SystemClock.INSTANCE, MINUTE);
    warmUp.await();
    assertThat(warmUp.healthy()).isEqualTo(3 * 4);
    assertThat(heard).hasValue(0);
    assertThat(service.engine().waiting()).isZero();
  }

  @Test
  @DisplayName("W-21 a loop without time for it keeps the first real probe back no longer than set")
  void bounded() {
    CountDownLatch busy = new CountDownLatch(1);
    network.loops().all().getFirst().eventLoop().execute(() -> awaitUninterruptibly(busy));
    try {
      WarmUp warmUp = WarmUp.start(service, SystemClock.INSTANCE, Duration.ofMillis(50));
      warmUp.await();
      assertThat(warmUp.healthy()).isZero();
    } finally {
      busy.countDown();
    }
  }

  @Test
  @DisplayName("W-21 a failed warm-up ends without effect")
  void impossible() {
    ProbeService ended = ProbeService.builder().runtime(new FakeRuntime()).start();
    ended.close();
    WarmUp warmUp = WarmUp.start(ended, SystemClock.INSTANCE, MINUTE);
    warmUp.await();
    assertThat(warmUp.healthy()).isZero();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }
}
