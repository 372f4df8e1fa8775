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
  private static final Duration FOREVER = Duration.ofDays(10_000);

  private final Map<Class<? extends CheckSpec>, Finding> findings = new LinkedHashMap<>();

  /** What a check finds. */
  private record Finding(Kind kind, String text) {}

  private enum Kind {
    PROBLEM,
    UNREADABLE,
    HANGING
  }

  NodeTruth() {}

  /** From now on there is a problem. */
  public void broken(Class<? extends CheckSpec> kind, String problem) {
    findings.put(kind, new Finding(Kind.PROBLEM, problem));
  }

  /** From now on nobody can tell whether there is a problem. */
  public void unreadable(Class<? extends CheckSpec> kind, String why) {
    findings.put(kind, new Finding(Kind.UNREADABLE, why));
  }

  /** From now on a check of this kind does not end. */
  public void hanging(Class<? extends CheckSpec> kind) {
    findings.put(kind, new Finding(Kind.HANGING, ""));
  }

  /** From now on all is well. */
  public void well(Class<? extends CheckSpec> kind) {
    findings.remove(kind);
  }

  /** {@return whether there is a problem that a check finds} */
  public boolean isBroken(Class<? extends CheckSpec> kind) {
    Finding finding = findings.get(kind);
    return finding != null && finding.kind() == Kind.PROBLEM;
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
      return switch (finding.kind()) {
        case PROBLEM -> new NodeCheckResult.Problem(finding.text());
        case UNREADABLE -> throw new IOException(finding.text());
        case HANGING -> {
          process.sleep(FOREVER);
          yield NodeCheckResult.OK;
        }
      };
    };
  }
}
