package io.probelet.cli.advise;

import io.probelet.cli.option.PrometheusAccess;
import io.probelet.fleet.advise.PrometheusEvidence;
import io.probelet.fleet.advise.WorkloadEvidence;
import io.probelet.manifest.pod.PodSource;
import io.probelet.rehearsal.prometheus.ProbeDurations;
import io.probelet.rehearsal.prometheus.PrometheusException;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that take measurements of kubelets from Prometheus, where no agents run. */
public final class KubeletOptions {
  /** The names of those that belong to --prometheus. */
  public static final List<String> FURTHER = List.of("--match", "--token-file", "--ca-file");

  private static final String URL = "--prometheus";

  /** Four queries each; more would keep a Prometheus busy. */
  private static final int MAX_WORKLOADS = 100;

  private static final Duration STEP = Duration.ofMinutes(1);

  @Option(
      names = URL,
      paramLabel = "URL",
      description =
          "Instead of agents, ask a Prometheus that scrapes the kubelets' probe metrics for the last"
              + " 7 days; the URL without /api/v1. The settings are those of --against.")
  private @Nullable String url;

  @Mixin private PrometheusAccess access = new PrometheusAccess();

  /** Created by the command line. */
  public KubeletOptions() {}

  /** {@return whether to ask a Prometheus} */
  public boolean isGiven() {
    return url != null;
  }

  /**
   * Asks for the evidence of workloads.
   *
   * @param pods of manifests
   * @param namespace of all of them; null for the manifests' own
   * @throws IllegalArgumentException if an option is invalid; the message is for the user
   * @throws IOException if no answer can be had; the message is for the user
   * @throws InterruptedException if the caller is interrupted
   */
  public List<WorkloadEvidence> evidence(
      List<PodSource> pods, @Nullable String namespace, Instant now)
      throws IOException, InterruptedException {
    if (pods.size() > MAX_WORKLOADS) {
      throw new IllegalArgumentException(
          "at most %d workloads can be asked for at once, the manifests have %d"
              .formatted(MAX_WORKLOADS, pods.size()));
    }
    Random random = new Random();
    ProbeDurations durations =
        new ProbeDurations(
            access.source(URL, url, Set.of(), now.minus(ProbeDurations.RANGE), now, STEP), random);
    List<WorkloadEvidence> all = new ArrayList<>();
    try {
      for (PodSource pod : pods) {
        all.addAll(
            PrometheusEvidence.of(
                pod.kind(),
                namespace == null ? pod.ref().namespace() : namespace,
                pod.ref().name(),
                pod.probed().containers(),
                durations));
      }
    } catch (PrometheusException noAnswer) {
      throw new IOException(noAnswer.getMessage(), noAnswer);
    }
    return all;
  }
}
