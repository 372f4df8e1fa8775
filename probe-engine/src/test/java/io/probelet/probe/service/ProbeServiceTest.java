package io.probelet.probe.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.SystemClock;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.HttpExpectation;
import io.probelet.probe.PodRef;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbedPod;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.TlsOptions;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.PodObservation.Phase;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The service as a whole: how it ends. */
class ProbeServiceTest {
  private static final PodRef POD = new PodRef("default", "web", "uid");

  @Test
  void anEndInTheMiddleOfAHandshakeIsNoFailedProbe() throws Exception {
    ConcurrentLinkedQueue<String> outcomes = new ConcurrentLinkedQueue<>();
    Socket probe;
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      try (ProbeService service = ProbeService.builder().start()) {
        service
            .engine()
            .addListener(
                new ProbeListener() {
                  @Override
                  public void probed(Probed probe) {
                    outcomes.add(probe.outcome().verdict().text());
                  }
                });
        service.engine().add(pod(silent.getLocalPort()));
        service
            .engine()
            .observed(
                new PodObservation(
                    POD,
                    Phase.RUNNING,
                    false,
                    false,
                    List.of("127.0.0.1"),
                    Map.of(
                        "c",
                        ContainerObservation.running("id", SystemClock.INSTANCE.wallTime(), 0))));
        probe = silent.accept();
        assertThat(probe.getInputStream().read()).as("a hello is under way").isPositive();
      }
      probe.close();
      assertThat(outcomes).isEmpty();
    }
  }

  @Test
  @DisplayName("W-14 a loop that hangs is named within a second")
  void hangingLoop() throws Exception {
    CountDownLatch hung = new CountDownLatch(1);
    SocketNetwork network = SocketNetwork.start(2, SystemClock.INSTANCE);
    try (ProbeService service = ProbeService.builder().network(network).start()) {
      assertThat(service.unresponsive()).isEmpty();
      network.loops().all().getFirst().eventLoop().execute(() -> awaitUninterruptibly(hung));
      try {
        assertThat(service.unresponsive()).contains("event loop 0: no answer within 700 ms");
      } finally {
        hung.countDown();
      }
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException over) {
      Thread.currentThread().interrupt();
    }
  }

  private static ProbedPod pod(int port) {
    ProbeSpec spec =
        ProbeSpec.of(
                new ProbeHandler.HttpGet(
                    new Port.Numeric(port),
                    null,
                    "/",
                    Scheme.HTTPS,
                    List.of(),
                    TlsOptions.INSECURE,
                    HttpExpectation.KUBELET))
            .period(Duration.ofSeconds(1))
            .timeout(Duration.ofMinutes(1))
            .build();
    return new ProbedPod(
        POD,
        RestartPolicy.ALWAYS,
        Duration.ofSeconds(30),
        List.of(ContainerSpec.of("c", Map.of(ProbeKind.LIVENESS, spec))));
  }
}
