package io.probelet.checks.object;

import io.fabric8.kubernetes.api.model.Node;
import io.probelet.checks.result.CheckResult;
import java.time.Duration;
import java.util.Collection;

/**
 * Wants as many ready nodes as there should be (CH-23).
 *
 * @param wanted how many nodes there should be, 0 or more
 * @param scaling whether somebody is changing their number right now
 * @param threshold how long that may take
 */
public record EnoughNodes(int wanted, Scaling scaling, Duration threshold)
    implements ObjectCheck<Collection<Node>> {

  /** What is being done to the number of nodes. */
  public enum Scaling {
    /** Nothing. */
    NONE,
    /** Nodes are being added, or replaced. */
    UP,
    /** Nodes are being drained and removed. */
    DOWN
  }

  /**
   * Checks the number.
   *
   * @throws IllegalArgumentException if it is negative
   */
  public EnoughNodes {
    if (wanted < 0) {
      throw new IllegalArgumentException("wanted nodes is " + wanted + "; use 0 or more");
    }
  }

  @Override
  public CheckResult check(Collection<Node> nodes) {
    long ready = nodes.stream().filter(ClusterObjectHealth::isReady).count();
    if (scaling == Scaling.DOWN && nodes.size() > wanted) {
      return CheckResult.progressing(
          "nodes are being removed (" + nodes.size() + "/" + wanted + ")", threshold);
    }
    if (ready >= wanted) {
      return CheckResult.healthy();
    }
    return scaling == Scaling.UP
        ? CheckResult.progressing(
            "nodes are being added (" + ready + "/" + wanted + " ready)", threshold)
        : CheckResult.unhealthy("not enough ready nodes (" + ready + "/" + wanted + ")");
  }
}
