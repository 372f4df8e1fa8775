package io.probelet.web.incident;

import static io.probelet.web.incident.Cause.Confidence.LIKELY;
import static io.probelet.web.incident.Cause.Confidence.UNCLEAR;

import io.probelet.probe.runtime.ContainerEvidence.ThreadStates;
import io.probelet.web.api.ContainerCause;
import io.probelet.web.incident.Cause.Confidence;
import io.probelet.web.incident.OwnWords.Complaint;
import io.probelet.web.incident.ProbeFacts.OutcomeFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A probe that failed, with what is known of that time, and how its cause is put into words.
 *
 * @param failures its last failures, oldest first, without the times that it could not run
 * @param kernel what the kernel counted meanwhile
 */
record FailedProbe(
    Incident incident, ProbeFacts probe, List<OutcomeFacts> failures, KernelFacts kernel) {
  /** Thousandths of a core that a hanging server may still use, for its timers. */
  static final long IDLE_MILLIS = 20;

  /** {@return the failures of an incident's probe} */
  static FailedProbe of(Incident incident, ProbeFacts probe) {
    KernelFacts known = incident.kernel();
    return new FailedProbe(
        incident,
        probe,
        probe.outcomes().stream()
            .filter(outcome -> outcome.result().equals(OutcomeFacts.FAILED))
            .toList(),
        known == null ? KernelFacts.UNKNOWN : known);
  }

  /** {@return the newest failure} */
  OutcomeFacts last() {
    return failures.getLast();
  }

  /** {@return whether it has not succeeded since the agent's start} */
  boolean neverSucceeded() {
    return !probe.succeeded() && !probe.succeededBefore();
  }

  /** {@return whether it used CPU while the probe failed} */
  boolean works() {
    return kernel.cpuMillis() != null && kernel.cpuMillis() > IDLE_MILLIS;
  }

  /** {@return a cause with its evidence} */
  Cause cause(CauseType type, Confidence confidence, String reason, String advice) {
    return new Cause(type, confidence, prefix() + ": " + reason, advice, evidence());
  }

  /** {@return that several causes fit} */
  Cause unclear(String what) {
    return cause(CauseType.UNKNOWN, UNCLEAR, what, "");
  }

  /** {@return the cause that the container names itself} */
  Cause complained(Complaint complaint) {
    return cause(
        complaint.type(),
        LIKELY,
        "the container itself says: " + complaint.quoted(),
        EndCauses.advice(complaint.type()));
  }

  /** Facts that are shown beside the cause, whatever it is. */
  private List<String> evidence() {
    if (failures.isEmpty()) {
      return List.of();
    }
    List<String> evidence = new ArrayList<>();
    evidence.add("last answer: " + quoted(last()));
    note(evidence, kernel.throttledPercent(), "throttled %d %% of the time");
    note(evidence, kernel.cpuMillis(), "used %dm of CPU");
    note(evidence, kernel.cpuWaitPercent(), "waited for a CPU %d %% of the time");
    note(evidence, kernel.memoryWaitPercent(), "waited for memory %d %% of the time");
    note(evidence, kernel.ioWaitPercent(), "waited for a disk %d %% of the time");
    ThreadStates threads = kernel.threads();
    if (threads != null) {
      evidence.add(
          "threads: %d running, %d waiting, %d blocked on I/O, %d stopped"
              .formatted(
                  threads.running(),
                  threads.sleeping(),
                  threads.uninterruptible(),
                  threads.stopped()));
    }
    if (kernel.listening() != null) {
      evidence.add(
          "listens on: " + (kernel.listening().isEmpty() ? "nothing" : ports(kernel.listening())));
    }
    IncidentNode node = incident.node();
    note(evidence, node.cpuWaitPercent(), "tasks of the node waited for a CPU %d %% of the time");
    if (!node.conditions().isEmpty()) {
      evidence.add("node: " + String.join(", ", node.conditions()));
    }
    if (node.failing() > 0) {
      evidence.add(
          "%d of the %d other containers of the node failed, too"
              .formatted(node.failing(), Math.max(node.failing(), node.containers() - 1)));
    }
    return evidence;
  }

  private static void note(List<String> evidence, @Nullable Number value, String fact) {
    if (value != null) {
      evidence.add(fact.formatted(value));
    }
  }

  /** {@return the beginning of the sentence} */
  String prefix() {
    int count = Math.max(failures.size(), probe.threshold());
    String what =
        !failures.isEmpty() && failures.stream().allMatch(each -> each.cause().equals("timeout"))
            ? "timeout"
            : "failure";
    String after = " after %d %s%s".formatted(count, what, count == 1 ? "" : "s");
    return switch (incident.kind()) {
      case KILLED -> "Killed by " + probe.kind() + after;
      case EVICTED -> "Evicted by " + probe.kind() + after;
      case HELD -> "Restart by " + probe.kind() + " on hold" + after;
      case UNREADY -> "Not ready" + after;
      default -> probe.kind() + " failed" + after;
    };
  }

  static String ports(List<Integer> listening) {
    return listening.stream().map(String::valueOf).limit(5).collect(Collectors.joining(", "));
  }

  static boolean atLeast(@Nullable Integer percent, int least) {
    return percent != null && percent >= least;
  }

  /** {@return how fast it answers otherwise; empty if it never did} */
  String usually() {
    Double usual = probe.usualMs();
    return usual == null ? "" : "; it usually answers in " + millis((long) Math.ceil(usual));
  }

  String timeoutAdvice() {
    return "raise timeoutSeconds above " + Math.max(1, probe.timeoutMs() / 1000);
  }

  static String millis(long millis) {
    return millis < 1000 ? millis + " ms" : seconds(millis);
  }

  static String seconds(long millis) {
    return millis % 1000 == 0
        ? millis / 1000 + " s"
        : String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
  }

  static String quoted(OutcomeFacts outcome) {
    return ContainerCause.quoted(outcome.message(), EndCauses.MAX_QUOTE);
  }
}
