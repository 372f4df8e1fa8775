package io.probelet.fleet.advise;

import io.probelet.probe.ContainerSpec;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.latency.LatencySketch;
import io.probelet.probe.latency.LatencySketch.Latencies;
import io.probelet.rehearsal.prometheus.ProbeDurations;
import io.probelet.rehearsal.prometheus.ProbeDurations.Bucket;
import io.probelet.rehearsal.prometheus.ProbeDurations.Measured;
import io.probelet.rehearsal.prometheus.ProbeDurations.Probe;
import io.probelet.rehearsal.prometheus.PrometheusException;
import io.probelet.web.explain.HandlerText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What kubelets have measured of the probes of a workload whose manifest has the settings. There
 * are neither outcomes in their order nor start-up times, and the kinds of failures are unknown.
 */
public final class PrometheusEvidence {
  private static final String RANDOM_SUFFIX = "-[a-z0-9]{5}";
  private static final String TEMPLATE_HASH = "-[a-z0-9]{1,10}";
  private static final String FIRST_OF_SET = "-0";

  private PrometheusEvidence() {}

  /**
   * {@return the names of a workload's pods, as a regular expression; empty for kinds whose pods
   * end by themselves}
   */
  static Optional<String> pods(String kind, String name) {
    String quoted = name.replace(".", "\\.");
    return switch (kind) {
      case "Pod" -> Optional.of(quoted);
      case "Deployment" -> Optional.of(quoted + TEMPLATE_HASH + RANDOM_SUFFIX);
      case "ReplicaSet", "DaemonSet", "ReplicationController" ->
          Optional.of(quoted + RANDOM_SUFFIX);
      case "StatefulSet" -> Optional.of(quoted + "-[0-9]+");
      default -> Optional.empty();
    };
  }

  /**
   * Asks for the evidence of a workload.
   *
   * @param kind such as Deployment
   * @param pod the name of its pod in the manifest, which is the workload's, of a StatefulSet with
   *     the number of the first
   * @return the evidence of each container with probes; none for kinds whose pods end by themselves
   * @throws PrometheusException if no answer can be had; the message is for the user
   * @throws InterruptedException if the caller is interrupted
   */
  public static List<WorkloadEvidence> of(
      String kind,
      String namespace,
      String pod,
      List<ContainerSpec> containers,
      ProbeDurations durations)
      throws PrometheusException, InterruptedException {
    String name =
        kind.equals("StatefulSet") && pod.endsWith(FIRST_OF_SET)
            ? pod.substring(0, pod.length() - FIRST_OF_SET.length())
            : pod;
    Optional<String> pattern = pods(kind, name);
    if (pattern.isEmpty()) {
      return List.of();
    }
    Map<Probe, Measured> measured = durations.of(namespace, pattern.get());
    List<WorkloadEvidence> all = new ArrayList<>();
    for (ContainerSpec container : containers) {
      if (!container.probes().isEmpty()) {
        AdviceSubject subject = new AdviceSubject(namespace, kind, name, container.name());
        all.add(evidence(subject, container, measured));
      }
    }
    return all;
  }

  private static WorkloadEvidence evidence(
      AdviceSubject subject, ContainerSpec container, Map<Probe, Measured> measured) {
    Map<ProbeKind, ProbeEvidence> probes = new EnumMap<>(ProbeKind.class);
    Set<ProbeKind> patchable = EnumSet.copyOf(container.probes().keySet());
    int[] pods = {0};
    container
        .probes()
        .forEach((kind, spec) -> {
          Measured of =
              measured.getOrDefault(
                  new Probe(container.name(), kind.label()),
                  new Measured(List.of(), 0, Duration.ZERO, 0));
          pods[0] = Math.max(pods[0], of.pods());
          probes.put(
              kind,
              new ProbeEvidence(
                  kind,
                  HandlerText.of(spec.handler()),
                  spec,
                  sketch(of, spec),
                  new LatencySketch(),
                  List.of(),
                  List.of(),
                  of.span(),
                  of.failures()));
        });
    return new WorkloadEvidence(
        subject, probes, container.sidecar() ? "sidecar" : "regular", patchable, pods[0], 0, 0, 0);
  }

  /** A duration counts as the longest of its bucket, one of the last as the timeout. */
  private static LatencySketch sketch(Measured measured, ProbeSpec spec) {
    List<Latencies> bins = new ArrayList<>();
    for (Bucket bucket : measured.successes()) {
      if (bins.size() < LatencySketch.MAX_BINS) {
        double millis = Math.min(bucket.seconds() * 1_000, (double) spec.timeout().toMillis());
        bins.add(new Latencies(Math.max(0, millis), bucket.count()));
      }
    }
    return LatencySketch.of(bins);
  }
}
