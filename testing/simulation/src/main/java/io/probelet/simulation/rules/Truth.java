package io.probelet.simulation.rules;

import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.simulation.node.ContainerInstance;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Judges by the truth of a container whether its probes can have decided to stop it. */
final class Truth {
  /** Between a decision and the stop: the guard's question, and a runtime that fails at first. */
  private static final Duration DELAY = Duration.ofSeconds(90);

  /** A stalled agent gives a probe up to a minute more (W-12). */
  private static final Duration LONGER = Duration.ofMinutes(1);

  private static final Duration STEP = Duration.ofMillis(50);
  private static final Duration SLACK = Duration.ofSeconds(1);

  private Truth() {}

  /** {@return why an instance is to be stopped at a moment; nothing if it is not} */
  static Optional<String> failing(ContainerInstance instance, long at) {
    ProbeSpec liveness = instance.container().spec().probes().get(ProbeKind.LIVENESS);
    ProbeSpec startup = instance.container().spec().probes().get(ProbeKind.STARTUP);
    List<String> why = new ArrayList<>();
    if (startup != null && fails(startup, instance, at)) {
      why.add("startup probe fails");
    }
    if (liveness != null && mayBeStarted(instance, at) && fails(liveness, instance, at)) {
      why.add("liveness probe fails");
    }
    return why.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", why));
  }

  /** {@return whether an instance satisfies its probes of all kinds at a moment} */
  static boolean healthy(ContainerInstance instance, long at) {
    return instance.running()
        && instance.container().spec().probes().values().stream()
            .allMatch(probe -> instance.at(at).satisfies(probe.handler(), probe.timeout()));
  }

  /** {@return whether its startup probe can have succeeded before a moment} */
  static boolean mayBeStarted(ContainerInstance instance, long at) {
    ProbeSpec startup = instance.container().spec().probes().get(ProbeKind.STARTUP);
    return startup == null
        || !instance.failedDuring(instance.start(), at, startup.handler(), startup.timeout());
  }

  /** Whether so many probes in a row can have failed just before a moment. */
  private static boolean fails(ProbeSpec probe, ContainerInstance instance, long at) {
    long needed = (probe.failureThreshold() - 2L) * probe.period().toNanos();
    Duration window =
        probe.period().plus(probe.timeout()).multipliedBy(probe.failureThreshold() + 1L);
    long from =
        Math.max(
            instance.start() + probe.initialDelay().minus(SLACK).toNanos(),
            at - window.plus(DELAY).plus(LONGER).toNanos());
    if (from >= at || instance.healthyDuring(from, at, probe.handler(), probe.timeout())) {
      return false;
    }
    long first = -1;
    long last = -1;
    for (long moment = from; moment < at; moment += STEP.toNanos()) {
      if (!instance.at(moment).satisfies(probe.handler(), probe.timeout())) {
        first = first < 0 ? moment : first;
        last = moment;
      }
    }
    return first < 0
        || last - first >= needed - probe.timeout().toNanos() - SLACK.toNanos()
        || probe.failureThreshold() <= 2;
  }
}
