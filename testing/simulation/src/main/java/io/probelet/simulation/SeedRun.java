package io.probelet.simulation;

import io.probelet.simulation.WorldSettings.Size;
import io.probelet.simulation.faults.Fault;
import io.probelet.simulation.faults.FaultKind;
import io.probelet.simulation.faults.FaultPlan;
import io.probelet.simulation.faults.Shrinker;
import io.probelet.simulation.kernel.Simulation;
import io.probelet.simulation.rules.Findings.Broken;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Runs the world of a seed and, if it breaks a rule, looks for fewer faults that break the same
 * one.
 *
 * @param size how large the worlds are
 * @param longest how long faults come at most
 * @param nodes how many nodes there are; empty for what the seed draws
 * @param only the kinds of faults that may come
 * @param shrinkTries how many worlds are tried for a shorter list of faults
 */
record SeedRun(
    Size size, Duration longest, Optional<Integer> nodes, Set<FaultKind> only, int shrinkTries) {
  /** {@return the world of a seed} */
  WorldSettings settings(long seed) {
    return WorldSettings.draw(new Simulation(seed).random("settings"), size, longest, nodes, only);
  }

  /** {@return the plan of a seed} */
  FaultPlan plan(long seed) {
    WorldSettings settings = settings(seed);
    return FaultPlan.draw(
        new Simulation(seed).random("faults"),
        settings.length(),
        only.stream().filter(settings::allows).collect(Collectors.toSet()),
        settings.agents() ? Set.of() : Set.of(FaultKind.STOP_KUBELET, FaultKind.HIT_WRITES));
  }

  /** {@return how the world of a seed goes} */
  Outcome run(long seed, Coverage coverage) {
    return run(seed, plan(seed).faults(), coverage);
  }

  private Outcome run(long seed, List<Fault> faults, Coverage coverage) {
    return new World(seed, settings(seed), coverage).run(faults);
  }

  /** {@return the same with as few faults as were found to break the same rule} */
  Outcome shrunk(Outcome broken) {
    String rule = broken.broken().orElseThrow().rule();
    List<Fault> few =
        new Shrinker(
                faults ->
                    run(broken.seed(), faults, new Coverage())
                        .broken()
                        .filter(other -> other.rule().equals(rule))
                        .isPresent(),
                shrinkTries)
            .shrink(broken.faults());
    return run(broken.seed(), few, new Coverage());
  }

  /** Prints what a person needs to find the cause; the same each time. */
  void report(Outcome first, Outcome shrunk, int lines, PrintStream out) {
    Broken broken = shrunk.broken().orElseThrow();
    out.printf("seed %d broke the rule %s%n", first.seed(), broken.rule());
    out.printf("  %s%n", broken.reason());
    out.printf("  %s: %s%n", seconds(broken.at()), broken.what());
    out.printf("  world: %s%n", shrunk.settings());
    out.printf("  faults, %d of %d:%n", shrunk.faults().size(), first.faults().size());
    shrunk.faults().forEach(fault -> out.printf("    %s%n", fault));
    List<String> trace = shrunk.trace();
    int from = lines <= 0 ? 0 : Math.max(0, trace.size() - lines);
    out.printf(
        "  trace, the last %d of %d lines, checksum %08x:%n",
        trace.size() - from, shrunk.traceLines(), shrunk.checksum());
    trace.subList(from, trace.size()).forEach(line -> out.printf("    %s%n", line));
  }

  private static String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.3f s", nanos / 1e9);
  }
}
