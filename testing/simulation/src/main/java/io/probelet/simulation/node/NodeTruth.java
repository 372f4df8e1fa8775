package io.probelet.simulation.node;

import io.probelet.monitor.check.NodeCheck;
import io.probelet.monitor.check.NodeCheckResult;
import io.probelet.monitor.rule.CheckSpec;
import io.probelet.simulation.kernel.SimulatedProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * What is wrong with a node, by kind of check: a full disk, a clock that is not synchronized,
 * pressure. Each check of its agent finds that.
 */
public final class NodeTruth {
  /** How often a check that hangs is looked at. */
  private static final Duration HANGS = Duration.ofSeconds(1);

  private final Map<Class<? extends CheckSpec>, String> problems = new LinkedHashMap<>();

  /** Why a check fails. */
  private final Map<Class<? extends CheckSpec>, String> unreadable = new LinkedHashMap<>();

  /** Checks that do not end. */
  private final Set<Class<? extends CheckSpec>> hanging = new HashSet<>();

  NodeTruth() {}

  /** From now on there is a problem. */
  public void broken(Class<? extends CheckSpec> kind, String problem) {
    problems.put(kind, problem);
  }

  /** From now on the check fails, so that its condition is Unknown. */
  public void unreadable(Class<? extends CheckSpec> kind, String why) {
    unreadable.put(kind, why);
  }

  /** From now on there is no problem. */
  public void well(Class<? extends CheckSpec> kind) {
    problems.remove(kind);
  }

  /** From now on the check does not end, as when a disk does not answer. */
  public void hangs(Class<? extends CheckSpec> kind) {
    hanging.add(kind);
  }

  /** From now on the check can be carried out again. */
  public void readable(Class<? extends CheckSpec> kind) {
    unreadable.remove(kind);
    hanging.remove(kind);
  }

  /**
   * {@return a check of this node}
   *
   * @param process runs it
   * @param takes how long each run takes
   */
  public NodeCheck check(CheckSpec spec, SimulatedProcess process, Duration takes) {
    return () -> {
      process.sleep(takes);
      while (hanging.contains(spec.getClass())) {
        process.sleep(HANGS);
      }
      String why = unreadable.get(spec.getClass());
      if (why != null) {
        throw new IOException(why);
      }
      String problem = problems.get(spec.getClass());
      return problem == null ? NodeCheckResult.OK : new NodeCheckResult.Problem(problem);
    };
  }
}
