package io.probelet.simulation.node;

import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeOrigins.Origin;
import io.probelet.probe.ProbeOrigins.Value;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.simulation.kernel.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The rules for stops, checked against the truth. It listens to the engine of one run of an agent:
 *
 * <ul>
 *   <li>A container that was healthy for its whole failing window is never stopped.
 *   <li>Nothing is stopped twice for one failure: each decision has failures of its own, by probes
 *       that began during the life of the instance.
 *   <li>A container that has not started yet is not stopped by its liveness probe.
 * </ul>
 */
public final class StopRules implements ProbeListener {
  /** Clocks that drift, and time slots. */
  private static final long LEEWAY = Duration.ofMillis(20).toNanos();

  /** The longest that a restart is on hold where its pod says nothing else. */
  private static final Duration USUAL_HOLD = Duration.ofMinutes(2);

  /** A guard that looks back, a runtime that fails at first, and the stop itself. */
  private static final Duration LATE = Duration.ofMinutes(2);

  private final Simulation world;
  private final SimulatedRuntime containers;
  private final List<String> broken;
  private final Map<ProbeSubject, Window> windows = new HashMap<>();
  private final Map<String, Long> decided = new HashMap<>();

  /** Failures in a row: when the first probe began and the latest ended, in the world's time. */
  private record Window(String containerId, long from, long until) {}

  /**
   * Creates rules for the engine of a process that starts.
   *
   * @param broken takes one line for each rule that is broken
   */
  public StopRules(Simulation world, SimulatedRuntime containers, List<String> broken) {
    this.world = world;
    this.containers = containers;
    this.broken = broken;
  }

  @Override
  public void probed(Probed probe) {
    long now = world.now();
    switch (probe.outcome().verdict()) {
      case Verdict.Failure _ -> {
        Window before = windows.get(probe.subject());
        long began = now - probe.duration().toNanos();
        if (before != null
            && before.containerId().equals(probe.containerId())
            && probe.consecutive() > 1) {
          began = before.from();
        }
        windows.put(probe.subject(), new Window(probe.containerId(), began, now));
      }
      case Verdict.Success _, Verdict.Warning _ -> windows.remove(probe.subject());
      case Verdict.ProberError _ -> {} // says nothing of the container
    }
  }

  @Override
  public void restartDecided(RestartDecision decision) {
    ContainerInstance instance = containers.find(decision.containerId());
    Window window = windows.get(decision.subject());
    ProbeSpec probe = decision.target().container().probes().get(decision.subject().kind());
    if (instance == null || probe == null) {
      broken(decision, "of an unknown container");
      return;
    }
    if (window == null || !window.containerId().equals(decision.containerId())) {
      broken(decision, "without a failure of its own");
      return;
    }
    Long before = decided.put(decision.containerId(), world.now());
    if (before != null && window.from() < before) {
      broken(decision, "twice for one failure");
    }
    if (window.from() + LEEWAY < instance.start()) {
      broken(decision, "for probes of an earlier instance");
    }
    if (instance.healthyDuring(window.from(), window.until(), probe.handler(), probe.timeout())) {
      broken(
          decision,
          "healthy for its whole failing window of "
              + Duration.ofNanos(window.until() - window.from()));
    }
    ProbeSpec startup = decision.target().container().probes().get(ProbeKind.STARTUP);
    if (decision.subject().kind() == ProbeKind.LIVENESS
        && startup != null
        && instance.failedDuring(
            instance.start(), world.now(), startup.handler(), startup.timeout())) {
      broken(decision, "by liveness before it has started");
    }
  }

  private void broken(RestartDecision decision, String why) {
    String line =
        "%.3f stop of %s/%s %s by %s: %s"
            .formatted(
                world.now() / 1e9,
                decision.subject().pod(),
                decision.subject().container(),
                decision.containerId(),
                decision.subject().kind().label(),
                why);
    broken.add(line);
    world.trace().add(world.now(), "rules", line);
  }

  /**
   * Finds containers that should have been stopped by now, by probes in annotations.
   *
   * @param quiet how long nothing has kept the agent from it
   * @return one line for each
   */
  public static List<String> overdue(
      Simulation world, SimulatedRuntime containers, Duration quiet) {
    return overdue(
        world,
        containers,
        quiet,
        container ->
            !container.pod().isEdited()
                && restarting(container).stream()
                    .allMatch(each -> each.origins().of(Value.HANDLER) == Origin.ANNOTATION)
                && !container.spec().succeedsWithZero(container.pod().spec().restartPolicy()),
        container -> longestHold(container).plus(LATE));
  }

  /**
   * Finds containers that should have been stopped by now.
   *
   * @param quiet how long nothing has kept the agent from it
   * @param leeway how much longer than its probes need it may take
   * @return one line for each
   */
  static List<String> overdue(
      Simulation world, SimulatedRuntime containers, Duration quiet, Duration leeway) {
    return overdue(world, containers, quiet, _ -> true, _ -> leeway);
  }

  private static List<String> overdue(
      Simulation world,
      SimulatedRuntime containers,
      Duration quiet,
      Predicate<ScriptedContainer> judged,
      Function<ScriptedContainer, Duration> leeway) {
    List<String> overdue = new ArrayList<>();
    for (ScriptedPod pod : containers.pods()) {
      for (ContainerInstance instance : pod.running()) {
        ScriptedContainer container = instance.container();
        Duration needs = needs(container).plus(leeway.apply(container));
        if (needs.compareTo(quiet) < 0
            && !instance.isTerminating()
            && judged.test(container)
            && fails(instance, world.now() - needs.toNanos(), world.now())) {
          overdue.add(
              "%s/%s %s has failed for %s and is not stopped"
                  .formatted(pod.ref(), container.spec().name(), instance.id(), needs));
        }
      }
    }
    return overdue;
  }

  /** A hold for throttling, and one by the guard against mass failures (D-13). */
  private static Duration longestHold(ScriptedContainer container) {
    return restarting(container).stream()
        .map(ProbeSpec::throttleHold)
        .map(own -> own == null ? USUAL_HOLD : own)
        .max(Duration::compareTo)
        .orElse(Duration.ZERO)
        .plus(USUAL_HOLD);
  }

  /**
   * {@return whether all its probes that restart it fail all the time; false without any} One that
   * has started is not stopped by its startup probe.
   */
  private static boolean fails(ContainerInstance instance, long from, long until) {
    List<ProbeSpec> probes = restarting(instance.container());
    boolean mayHaveStarted = !instance.container().spec().probes().containsKey(ProbeKind.LIVENESS);
    long since = mayHaveStarted ? instance.start() : from;
    return !probes.isEmpty()
        && since <= from
        && probes.stream()
            .allMatch(each -> instance.failedDuring(since, until, each.handler(), each.timeout()));
  }

  /** {@return how long the probes of a container take to find that it fails, at most} */
  private static Duration needs(ScriptedContainer container) {
    return restarting(container).stream()
        .map(each ->
            each.initialDelay()
                .plus(
                    each.period().plus(each.timeout()).multipliedBy(each.failureThreshold() + 1L)))
        .reduce(Duration.ZERO, Duration::plus);
  }

  private static List<ProbeSpec> restarting(ScriptedContainer container) {
    List<ProbeSpec> probes = new ArrayList<>();
    for (ProbeKind kind : List.of(ProbeKind.STARTUP, ProbeKind.LIVENESS)) {
      ProbeSpec probe = container.spec().probes().get(kind);
      if (probe != null) {
        probes.add(probe);
      }
    }
    return probes;
  }
}
