package io.probelet.probe.engine;

import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PodRef;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbedPod;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.PodObservation.Phase;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Pods, containers and observations with good defaults. */
public final class Fixtures {
  public static final PodRef POD = new PodRef("default", "web", "uid-1");
  public static final String CONTAINER = "nginx";
  public static final ProbeHandler HANDLER = new ProbeHandler.TcpSocket(new Port.Numeric(80), null);

  private Fixtures() {}

  /** A probe with the API's defaults. */
  public static ProbeSpec probe() {
    return ProbeSpec.of(HANDLER).build();
  }

  public static ContainerSpec container(Map<ProbeKind, ProbeSpec> probes) {
    return new ContainerSpec(CONTAINER, false, null, List.of(), Map.of(), Map.of(), probes);
  }

  public static ContainerSpec sidecar(Map<ProbeKind, ProbeSpec> probes) {
    return new ContainerSpec(
        CONTAINER, true, RestartPolicy.ALWAYS, List.of(), Map.of(), Map.of(), probes);
  }

  public static ProbedPod pod(ContainerSpec container) {
    return pod(POD, RestartPolicy.ALWAYS, container);
  }

  public static ProbedPod pod(PodRef ref, RestartPolicy policy, ContainerSpec container) {
    return new ProbedPod(ref, policy, Duration.ofSeconds(30), List.of(container));
  }

  public static PodObservation seen(ContainerObservation container) {
    return seen(POD, container);
  }

  public static PodObservation seen(PodRef ref, ContainerObservation container) {
    return new PodObservation(
        ref, Phase.RUNNING, false, false, List.of("10.0.0.1"), Map.of(CONTAINER, container));
  }

  public static PodObservation deleting(ContainerObservation container) {
    return new PodObservation(
        POD, Phase.RUNNING, true, false, List.of("10.0.0.1"), Map.of(CONTAINER, container));
  }
}
