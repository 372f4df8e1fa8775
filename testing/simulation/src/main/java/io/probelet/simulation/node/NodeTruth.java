package io.probelet.simulation.node;

import io.probelet.monitor.check.NodeCheck;
import io.probelet.monitor.check.NodeCheckResult;
import io.probelet.monitor.rule.CheckSpec;
import io.probelet.simulation.kernel.SimulatedProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What is wrong with a node, by kind of check: a full disk, a clock that is not synchronized,
 * pressure. Each check of its agent finds that.
 */
public final class NodeTruth {
  private final Map<Class<? extends CheckSpec>, Finding> findings = new LinkedHashMap<>();

  /** What a check finds. */
  private record Finding(boolean readable, String text) {}

  NodeTruth() {}

  /** From now on there is a problem. */
  public void broken(Class<? extends CheckSpec> kind, String problem) {
    findings.put(kind, new Finding(true, problem));
  }

  /** From now on the check fails, so that its condition is Unknown. */
  public void unreadable(Class<? extends CheckSpec> kind, String why) {
    findings.put(kind, new Finding(false, why));
  }

  /** From now on there is no problem. */
  public void well(Class<? extends CheckSpec> kind) {
    findings.remove(kind);
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
      Finding finding = findings.get(spec.getClass());
      if (finding == null) {
        return NodeCheckResult.OK;
      }
      if (!finding.readable()) {
        throw new IOException(finding.text());
      }
      return new NodeCheckResult.Problem(finding.text());
    };
  }
}
