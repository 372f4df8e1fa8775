package io.probelet.web;

import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PodRef;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.engine.ProbePast;
import io.probelet.probe.engine.ProbePhases;
import io.probelet.probe.engine.ProbeSnapshot;
import io.probelet.probe.runtime.ContainerObservation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Containers and probes with good defaults, for tests that show them. */
public final class Snapshots {
  public static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

  private Snapshots() {}

  public static ContainerSnapshot running(
      String namespace, String pod, String container, ProbeSnapshot... probes) {
    return container(
        namespace,
        pod,
        container,
        ContainerObservation.running("proc://" + container, NOON, 1),
        true,
        true,
        probes);
  }

  public static ContainerSnapshot container(
      String namespace,
      String pod,
      String container,
      ContainerObservation observation,
      boolean started,
      boolean ready,
      ProbeSnapshot... probes) {
    ContainerStatus status =
        new ContainerStatus(
            new PodRef(namespace, pod, "uid-" + pod), container, observation, started, ready);
    return new ContainerSnapshot(status, true, List.of(probes), target(status));
  }

  /** A container with the port {@code http} of a pod with an address. */
  public static ProbeTarget target(ContainerStatus status) {
    ContainerSpec spec =
        new ContainerSpec(
            status.name(), false, null, List.of(), Map.of("http", 8080), Map.of(), Map.of());
    return new ProbeTarget(status.pod(), spec, status.observation().id(), "10.42.0.7");
  }

  public static ProbeSnapshot succeeding(ProbeKind kind, String handler) {
    return new ProbeSnapshot(
        kind,
        spec(handler),
        ProbeResult.SUCCESS,
        ProbeResult.SUCCESS,
        7,
        NOON.plusMillis(3123),
        Duration.ofNanos(1_234_567),
        "ok",
        ProbeSnapshot.Obstacle.NONE,
        NOON.plusMillis(13_123),
        List.of(
            entry(
                NOON.plusSeconds(1),
                ProbeSnapshot.Outcome.FAILED,
                "HTTP probe failed with statuscode: 500"),
            entry(NOON.plusSeconds(2), ProbeSnapshot.Outcome.SUCCESSFUL, "ok"),
            entry(NOON.plusMillis(3123), ProbeSnapshot.Outcome.SUCCESSFUL, "ok")),
        null,
        null,
        null);
  }

  /** Fails for the second time in a row, below the threshold. */
  public static ProbeSnapshot failing(ProbeKind kind, String handler, String message) {
    return new ProbeSnapshot(
        kind,
        spec(handler),
        ProbeResult.SUCCESS,
        ProbeResult.FAILURE,
        2,
        NOON.plusSeconds(3),
        Duration.ofSeconds(1),
        message,
        ProbeSnapshot.Obstacle.NONE,
        NOON.plusSeconds(13),
        List.of(entry(NOON.plusSeconds(3), ProbeSnapshot.Outcome.FAILED, message)),
        null,
        null,
        null);
  }

  /** An httpGet that has succeeded once, with these phases. */
  public static ProbeSnapshot phased(ProbePhases phases) {
    return phased(phases, null);
  }

  /** An httpGet that has succeeded once, with these phases and this past. */
  public static ProbeSnapshot phased(ProbePhases phases, @Nullable ProbePast past) {
    return new ProbeSnapshot(
        ProbeKind.READINESS,
        spec("httpGet"),
        ProbeResult.SUCCESS,
        ProbeResult.SUCCESS,
        1,
        NOON,
        Duration.ofMillis(18),
        "ok",
        ProbeSnapshot.Obstacle.NONE,
        NOON.plusSeconds(10),
        List.of(
            new ProbeSnapshot.Entry(
                NOON, ProbeSnapshot.Outcome.SUCCESSFUL, Duration.ofMillis(18), "ok", phases)),
        past,
        null,
        null);
  }

  public static ProbeSnapshot untried(ProbeKind kind, String handler) {
    return new ProbeSnapshot(
        kind,
        spec(handler),
        kind.initialResult(),
        null,
        0,
        null,
        Duration.ZERO,
        "",
        ProbeSnapshot.Obstacle.INITIAL_DELAY,
        NOON.plusSeconds(20),
        List.of(),
        null,
        null,
        null);
  }

  public static ProbeSnapshot.Entry entry(
      Instant at, ProbeSnapshot.Outcome outcome, String message) {
    return new ProbeSnapshot.Entry(at, outcome, Duration.ofNanos(2_500_000), message, null);
  }

  /** A probe with the defaults of Kubernetes, by a handler of that name. */
  public static ProbeSpec spec(String handler) {
    Port port = new Port.Numeric(8080);
    ProbeHandler known =
        switch (handler) {
          case "httpGet" -> new HttpGet(port, "/healthz");
          case "tcpSocket" -> new TcpSocket(port, null);
          case "grpc" -> new Grpc(8080, "", null);
          case "exec" -> new Exec(List.of("cat", "/tmp/healthy"));
          default -> throw new IllegalArgumentException("no handler for tests: " + handler);
        };
    return ProbeSpec.of(known).build();
  }
}
