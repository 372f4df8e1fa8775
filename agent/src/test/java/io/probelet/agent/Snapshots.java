package io.probelet.agent;

import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.engine.ProbeSnapshot;
import io.probelet.probe.runtime.ContainerObservation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

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
    return new ContainerSnapshot(
        new ContainerStatus(
            new PodRef(namespace, pod, "uid-" + pod), container, observation, started, ready),
        List.of(probes));
  }

  public static ProbeSnapshot succeeding(ProbeKind kind, String handler) {
    return new ProbeSnapshot(
        kind,
        handler,
        ProbeResult.SUCCESS,
        ProbeResult.SUCCESS,
        7,
        NOON.plusMillis(3123),
        Duration.ofNanos(1_234_567),
        "ok",
        List.of(
            entry(
                NOON.plusSeconds(1),
                ProbeSnapshot.Outcome.FAILED,
                "HTTP probe failed with statuscode: 500"),
            entry(NOON.plusSeconds(2), ProbeSnapshot.Outcome.SUCCESSFUL, "ok"),
            entry(NOON.plusMillis(3123), ProbeSnapshot.Outcome.SUCCESSFUL, "ok")));
  }

  /** Fails for the second time in a row, below the threshold. */
  public static ProbeSnapshot failing(ProbeKind kind, String handler, String message) {
    return new ProbeSnapshot(
        kind,
        handler,
        ProbeResult.SUCCESS,
        ProbeResult.FAILURE,
        2,
        NOON.plusSeconds(3),
        Duration.ofSeconds(1),
        message,
        List.of(entry(NOON.plusSeconds(3), ProbeSnapshot.Outcome.FAILED, message)));
  }

  public static ProbeSnapshot untried(ProbeKind kind, String handler) {
    return new ProbeSnapshot(
        kind, handler, kind.initialResult(), null, 0, null, Duration.ZERO, "", List.of());
  }

  public static ProbeSnapshot.Entry entry(
      Instant at, ProbeSnapshot.Outcome outcome, String message) {
    return new ProbeSnapshot.Entry(at, outcome, Duration.ofNanos(2_500_000), message);
  }
}
