package io.probelet.agent.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.engine.ProbeSnapshot;
import io.probelet.probe.runtime.ContainerObservation;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One container as {@code GET /api/v1/containers} shows it.
 *
 * @param namespace the pod's namespace
 * @param pod the pod's name
 * @param container the container's name
 * @param id the runtime's id, empty before the first instance
 * @param state one word as kubectl's STATUS has it: Running, Waiting, CrashLoopBackOff, Completed,
 *     Error, …
 * @param ready whether it takes traffic
 * @param started whether it runs and its startup probe, if any, has succeeded
 * @param restartCount instances before this one
 * @param probes startup, readiness, liveness, as far as it has them
 */
@JsonPropertyOrder({
  "namespace",
  "pod",
  "container",
  "id",
  "state",
  "ready",
  "started",
  "restartCount",
  "probes"
})
public record ContainerView(
    String namespace,
    String pod,
    String container,
    String id,
    String state,
    boolean ready,
    boolean started,
    int restartCount,
    List<ProbeView> probes) {

  private static final DateTimeFormatter RFC_3339 =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSXXX", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  /**
   * One probe of a container.
   *
   * @param kind startup, readiness or liveness
   * @param handler httpGet, tcpSocket, exec, grpc, allOf or anyOf
   * @param result what is published: Success, Failure or Unknown
   * @param consecutive how many times in a row the last outcome came; 0 after a decision that holds
   * @param lastProbe when the last probe ended, RFC 3339 in UTC; null before the first
   * @param lastLatencyMs how long it took in milliseconds, to the microsecond; null before the
   *     first
   * @param message what the last probe said, possibly empty
   * @param history the newest outcomes that were asked for, oldest first; null when none were
   */
  @JsonPropertyOrder({
    "kind",
    "handler",
    "result",
    "consecutive",
    "lastProbe",
    "lastLatencyMs",
    "message",
    "history"
  })
  public record ProbeView(
      String kind,
      String handler,
      String result,
      int consecutive,
      @Nullable String lastProbe,
      @Nullable Double lastLatencyMs,
      String message,
      @JsonInclude(Include.NON_NULL) @Nullable List<OutcomeView> history) {}

  /**
   * One outcome of the past.
   *
   * @param time when the probe ended, RFC 3339 in UTC
   * @param result successful, warning, failed or error
   * @param latencyMs how long it took, in milliseconds
   * @param message what was said, cut to 256 characters
   */
  @JsonPropertyOrder({"time", "result", "latencyMs", "message"})
  public record OutcomeView(String time, String result, double latencyMs, String message) {}

  /**
   * Shows a container.
   *
   * @param snapshot how it is
   * @param history how many outcomes of each probe's past are wanted; 0 leaves the field out
   * @return its view
   */
  public static ContainerView of(ContainerSnapshot snapshot, int history) {
    ContainerStatus status = snapshot.status();
    ContainerObservation observation = status.observation();
    return new ContainerView(
        status.pod().namespace(),
        status.pod().name(),
        status.name(),
        observation.id(),
        state(observation),
        status.ready(),
        status.started(),
        observation.restartCount(),
        snapshot.probes().stream().map(probe -> probe(probe, history)).toList());
  }

  private static String state(ContainerObservation observation) {
    boolean explained = !observation.reason().isEmpty();
    return switch (observation.state()) {
      case RUNNING -> "Running";
      case WAITING -> explained ? observation.reason() : "Waiting";
      case TERMINATED ->
          explained ? observation.reason() : observation.exitCode() == 0 ? "Completed" : "Error";
    };
  }

  private static ProbeView probe(ProbeSnapshot probe, int history) {
    Instant last = probe.lastProbe();
    return new ProbeView(
        probe.kind().label().toLowerCase(Locale.ROOT),
        probe.handler(),
        result(probe.result()),
        probe.consecutive(),
        last == null ? null : RFC_3339.format(last),
        last == null ? null : millis(probe.lastLatency()),
        probe.message(),
        history == 0 ? null : newest(probe.history(), history));
  }

  private static String result(ProbeResult result) {
    return switch (result) {
      case SUCCESS -> "Success";
      case FAILURE -> "Failure";
      case UNKNOWN -> "Unknown";
    };
  }

  private static List<OutcomeView> newest(List<ProbeSnapshot.Entry> entries, int wanted) {
    return entries.subList(Math.max(0, entries.size() - wanted), entries.size()).stream()
        .map(entry ->
            new OutcomeView(
                RFC_3339.format(entry.at()),
                entry.outcome().name().toLowerCase(Locale.ROOT),
                millis(entry.latency()),
                entry.message()))
        .toList();
  }

  private static double millis(Duration duration) {
    return TimeUnit.NANOSECONDS.toMicros(duration.toNanos()) / 1_000.0;
  }
}
