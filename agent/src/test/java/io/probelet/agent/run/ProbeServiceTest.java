package io.probelet.agent.run;

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
import io.probelet.probe.net.ProbeLoops;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.ExecResult;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.PodObservation.Phase;
import io.probelet.probe.runtime.RuntimeListener;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;

/** The service as a whole: how it ends. */
class ProbeServiceTest {
  private static final PodRef POD = new PodRef("default", "web", "uid");

  @Test
  void anEndInTheMiddleOfAHandshakeIsNoFailedProbe() throws Exception {
    ConcurrentLinkedQueue<String> outcomes = new ConcurrentLinkedQueue<>();
    Socket probe;
    try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      try (ProbeService service =
          ProbeService.start(
              ProbeLoops.start(1, SystemClock.INSTANCE),
              new NoContainers(),
              SystemClock.INSTANCE)) {
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
        List.of(
            new ContainerSpec(
                "c",
                false,
                null,
                List.of(),
                Map.of(),
                Map.of(),
                Map.of(ProbeKind.LIVENESS, spec))));
  }

  /** Its containers are only said to run. */
  private static final class NoContainers implements ContainerRuntime {
    @Override
    public void watch(RuntimeListener listener) {}

    @Override
    public ExecResult exec(String id, List<String> command, Duration timeout, int limit)
        throws ContainerRuntimeException {
      throw new ContainerRuntimeException("nothing runs here");
    }

    @Override
    public void stop(String containerId, Duration grace) {}

    @Override
    public void close() {}
  }
}
