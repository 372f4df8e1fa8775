package io.probelet.web.api;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.probelet.health.ShortText;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.engine.ProbePast;
import io.probelet.probe.engine.ProbePhases;
import io.probelet.probe.engine.ProbeSnapshot;
import io.probelet.probe.engine.ProbeSnapshot.Obstacle;
import io.probelet.probe.engine.ProbeSnapshot.Outcome;
import io.probelet.probe.runtime.ContainerDetails;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.Termination;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One container as {@code GET /api/v1/containers} shows it.
 *
 * @param role regular, sidecar or init
 * @param id the runtime's id, empty before the first instance
 * @param state one word as kubectl's STATUS has it: Running, Waiting, CrashLoopBackOff, Completed,
 *     Error, …
 * @param message why it waits, in words of the kubelet or the runtime; possibly empty, at most
 *     1,024 characters
 * @param ready whether it takes traffic; of an init container whether it has succeeded
 * @param started whether it runs and its startup probe, if any, has succeeded
 * @param restartCount instances before this one
 * @param startedAt when the instance started, RFC 3339 in UTC; null when it has not
 * @param nextStart until when it waits to be started again, RFC 3339 in UTC; null when it does not
 *     or the agent does not know, as in a cluster, where the kubelet decides it
 * @param lastTermination how the newest instance that ended did so, which is this one if it has
 *     ended; null when none has, or that is unknown
 * @param logPath the file with its output, on its node; empty when that is unknown
 * @param warnings what of its configuration has no effect, in sentences
 */
@JsonPropertyOrder({
  "namespace",
  "pod",
  "container",
  "role",
  "id",
  "state",
  "message",
  "ready",
  "started",
  "restartCount",
  "startedAt",
  "nextStart",
  "lastTermination",
  "logPath",
  "warnings",
  "probes"
})
public record ContainerView(
    String namespace,
    String pod,
    String container,
    String role,
    String id,
    String state,
    String message,
    boolean ready,
    boolean started,
    int restartCount,
    @Nullable String startedAt,
    @Nullable String nextStart,
    @Nullable TerminationView lastTermination,
    String logPath,
    @JsonInclude(Include.NON_EMPTY) List<String> warnings,
    List<ProbeView> probes) {
  /** Past outcomes of a probe that are shown at most. */
  public static final int MAX_HISTORY = ProbeSnapshot.MAX_HISTORY;

  /** What an answer without a container is taken for. */
  public static final ContainerView NONE =
      new ContainerView(
          "", "", "", "", "", "", "", false, false, 0, null, null, null, "", List.of(), List.of());

  /** The role of an init container that runs to its end. */
  public static final String INIT = "init";

  /** Most characters of a message in a list of many containers. */
  public static final int BRIEF = 256;

  private static final String SUCCESSFUL = "successful";

  /** Takes what an earlier agent leaves out for empty. */
  public ContainerView {
    namespace = JsonDefaults.text(namespace);
    pod = JsonDefaults.text(pod);
    container = JsonDefaults.text(container);
    role = JsonDefaults.text(role);
    id = JsonDefaults.text(id);
    state = JsonDefaults.text(state);
    message = JsonDefaults.text(message);
    logPath = JsonDefaults.text(logPath);
    warnings = JsonDefaults.list(warnings);
    probes = JsonDefaults.list(probes);
  }

  /**
   * One probe of a container.
   *
   * @param kind startup, readiness or liveness
   * @param handler httpGet, tcpSocket, exec, grpc, allOf or anyOf
   * @param result what is published: Success, Failure or Unknown
   * @param lastOutcome how the last probe that counted ended: Success or Failure; null before the
   *     first
   * @param consecutive how many times in a row the last outcome came; 0 after a decision that holds
   * @param threshold how many outcomes like the last one decide; before the first, how many
   *     failures
   * @param periodMs the time between two probes in milliseconds, as it is now
   * @param timeoutMs how long one attempt may take, in milliseconds
   * @param nextProbe when it probes next, RFC 3339 in UTC; null while it waits for something else
   * @param waitsFor what keeps it from probing now: no-instance, decided, not-running, pod-ending,
   *     initial-delay, not-started or started; null when nothing does
   * @param lastProbe when the last probe ended, RFC 3339 in UTC; null before the first
   * @param lastLatencyMs how long it took in milliseconds, to the microsecond; null before the
   *     first
   * @param message what the last probe said, possibly empty
   * @param history the newest outcomes that were asked for, oldest first; null when none were
   * @param past the last 24 hours; null when not asked for
   */
  @JsonPropertyOrder({
    "kind",
    "handler",
    "result",
    "lastOutcome",
    "consecutive",
    "threshold",
    "periodMs",
    "timeoutMs",
    "nextProbe",
    "waitsFor",
    "lastProbe",
    "lastLatencyMs",
    "message",
    "history",
    "past"
  })
  public record ProbeView(
      String kind,
      String handler,
      String result,
      @Nullable String lastOutcome,
      int consecutive,
      int threshold,
      long periodMs,
      long timeoutMs,
      @Nullable String nextProbe,
      @Nullable String waitsFor,
      @Nullable String lastProbe,
      @Nullable Double lastLatencyMs,
      String message,
      @JsonInclude(Include.NON_NULL) @Nullable List<OutcomeView> history,
      @JsonInclude(Include.NON_NULL) @Nullable PastView past) {
    /** Takes what another agent leaves out for empty. */
    public ProbeView {
      kind = JsonDefaults.text(kind);
      handler = JsonDefaults.text(handler);
      result = JsonDefaults.text(result);
      message = JsonDefaults.text(message);
      history = history == null ? null : JsonDefaults.list(history);
    }

    private ProbeView brief() {
      return new ProbeView(
          kind,
          handler,
          result,
          lastOutcome,
          consecutive,
          threshold,
          periodMs,
          timeoutMs,
          nextProbe,
          waitsFor,
          lastProbe,
          lastLatencyMs,
          ShortText.of(message, BRIEF),
          history,
          past);
    }

    /** {@return the newest outcomes, oldest first, as far as they were asked for} */
    public List<OutcomeView> outcomes() {
      return history == null ? List.of() : history;
    }
  }

  /**
   * One outcome of the past.
   *
   * @param time when the probe ended, RFC 3339 in UTC
   * @param result successful, warning, failed or error
   * @param latencyMs how long it took, in milliseconds
   * @param message what was said, cut to 256 characters
   * @param phases where the time of its last attempt went; null if that is not known
   */
  @JsonPropertyOrder({"time", "result", "latencyMs", "message", "phases"})
  public record OutcomeView(
      String time,
      String result,
      double latencyMs,
      String message,
      @JsonInclude(Include.NON_NULL) @Nullable PhasesView phases) {
    /** Takes what another agent leaves out for empty. */
    public OutcomeView {
      time = JsonDefaults.text(time);
      result = JsonDefaults.text(result);
      message = JsonDefaults.text(message);
    }
  }

  /**
   * How long each phase took, in milliseconds with three digits; null if it did not come to that.
   * What they lack to the latency is the rest of the answer, or the phase it was given up in.
   *
   * @param before until the last connection was begun, after redirects; null mostly
   * @param firstByte from the request to the first byte of the answer
   */
  @JsonInclude(Include.NON_NULL)
  @JsonPropertyOrder({"before", "resolve", "connect", "tls", "firstByte"})
  public record PhasesView(
      @Nullable Double before,
      @Nullable Double resolve,
      @Nullable Double connect,
      @Nullable Double tls,
      @Nullable Double firstByte) {}

  /**
   * Shows a container.
   *
   * @param history how many outcomes of each probe's past are wanted; 0 leaves the field out
   */
  public static ContainerView of(ContainerSnapshot snapshot, int history) {
    return of(snapshot, entries -> history == 0 ? null : newest(entries, history));
  }

  /**
   * Shows a container as a row of many is drawn: what its history is for is a strip and a line of
   * latencies, and words where something was not as it should be. The rest is most of what a whole
   * history costs.
   *
   * @return its view; successful outcomes have neither time nor message nor phases
   */
  public static ContainerView drawn(ContainerSnapshot snapshot) {
    return of(
        snapshot,
        entries ->
            entries.stream()
                .map(entry ->
                    entry.outcome() == Outcome.SUCCESSFUL
                        ? new OutcomeView("", SUCCESSFUL, millis(entry.latency()), "", null)
                        : outcome(entry))
                .toList());
  }

  private static ContainerView of(
      ContainerSnapshot snapshot,
      Function<List<ProbeSnapshot.Entry>, @Nullable List<OutcomeView>> history) {
    ContainerStatus status = snapshot.status();
    ContainerObservation observation = status.observation();
    ContainerDetails details = observation.details();
    Termination last = details.lastTermination();
    return new ContainerView(
        status.pod().namespace(),
        status.pod().name(),
        status.name(),
        status.role().name().toLowerCase(Locale.ROOT),
        observation.id(),
        state(observation),
        details.message(),
        status.ready(),
        status.started(),
        observation.restartCount(),
        time(observation.startedAt()),
        time(observation.nextStart()),
        last == null ? null : TerminationView.of(last),
        details.logPath(),
        List.of(),
        snapshot.probes().stream().map(probe -> probe(probe, history)).toList());
  }

  /**
   * {@return the same container with these warnings}
   *
   * @param sentences what of its configuration has no effect
   */
  public ContainerView withWarnings(List<String> sentences) {
    return sentences.equals(warnings)
        ? this
        : new ContainerView(
            namespace,
            pod,
            container,
            role,
            id,
            state,
            message,
            ready,
            started,
            restartCount,
            startedAt,
            nextStart,
            lastTermination,
            logPath,
            sentences,
            probes);
  }

  /**
   * {@return the same with short messages, for a list of many: long messages of one tenant must not
   * make the list too large for its readers}
   */
  public ContainerView brief() {
    return new ContainerView(
        namespace,
        pod,
        container,
        role,
        id,
        state,
        ShortText.of(message, BRIEF),
        ready,
        started,
        restartCount,
        startedAt,
        nextStart,
        lastTermination == null
            ? null
            : lastTermination.withMessage(ShortText.of(lastTermination.message(), BRIEF)),
        logPath,
        warnings,
        probes.stream().map(ProbeView::brief).toList());
  }

  /** {@return whether it takes traffic, or has done what it was for} */
  public boolean asItShouldBe() {
    return ready || state.equals("Completed");
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

  private static ProbeView probe(
      ProbeSnapshot probe,
      Function<List<ProbeSnapshot.Entry>, @Nullable List<OutcomeView>> history) {
    Instant last = probe.lastProbe();
    ProbeResult outcome = probe.lastOutcome();
    ProbeSpec spec = probe.spec();
    ProbePast past = probe.past();
    return new ProbeView(
        probe.kind().label().toLowerCase(Locale.ROOT),
        probe.handler(),
        result(probe.result()),
        outcome == null ? null : result(outcome),
        probe.consecutive(),
        probe.threshold(),
        probe.period().toMillis(),
        spec.timeout().toMillis(),
        time(probe.nextProbe()),
        probe.obstacle() == Obstacle.NONE ? null : probe.obstacle().label(),
        time(last),
        last == null ? null : millis(probe.lastLatency()),
        probe.message(),
        history.apply(probe.history()),
        past == null ? null : PastView.of(past));
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
        .map(ContainerView::outcome)
        .toList();
  }

  private static OutcomeView outcome(ProbeSnapshot.Entry entry) {
    return new OutcomeView(
        Rfc3339.text(entry.at()),
        entry.outcome().name().toLowerCase(Locale.ROOT),
        millis(entry.latency()),
        entry.message(),
        phases(entry.phases()));
  }

  private static @Nullable PhasesView phases(@Nullable ProbePhases phases) {
    return phases == null
        ? null
        : new PhasesView(
            phases.before().isZero() ? null : digits(phases.before()),
            digits(phases.resolve()),
            digits(phases.connect()),
            digits(phases.tls()),
            digits(phases.firstByte()));
  }

  private static @Nullable Double digits(@Nullable Duration phase) {
    if (phase == null) {
      return null;
    }
    long nanos = phase.toNanos();
    long unit = 1;
    while (nanos / unit >= 1_000) {
      unit *= 10; // three digits are left
    }
    return (nanos + unit / 2) / unit * unit / 1e6;
  }

  private static @Nullable String time(@Nullable Instant time) {
    return time == null ? null : Rfc3339.text(time);
  }

  static double millis(Duration duration) {
    return TimeUnit.NANOSECONDS.toMicros(duration.toNanos()) / 1_000.0;
  }
}
