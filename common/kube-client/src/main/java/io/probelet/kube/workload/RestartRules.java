package io.probelet.kube.workload;

import java.util.List;

/** Decides whether one more pod of a workload may restart now (D-8). */
final class RestartRules {
  private static final int PERCENT = 100;

  private RestartRules() {}

  /** The decision about a pod. */
  enum Answer {
    /** The pod is already listed. */
    IN,
    /** The pod may be added. */
    ENTER,
    /** Too many pods are restarting. */
    HOLD,
    /** The number of replicas is not known yet. */
    REPLICAS_UNKNOWN
  }

  /** The number of replicas that may restart at once: a share, but at least one. */
  static int most(int replicas, int percent) {
    return (int) Math.max(1, (long) replicas * percent / PERCENT);
  }

  /**
   * Decides.
   *
   * @param percent the share of replicas that may restart at once, 1 to 99
   */
  static Answer decide(RestartCounter counter, String node, String pod, int percent) {
    List<String> here = counter.on(node);
    if (here.contains(pod)) {
      return Answer.IN;
    }
    int count = counter.count();
    if (count == 0) {
      return Answer.ENTER; // one may always restart
    }
    if (here.size() >= RestartCounter.MAX_PODS) {
      return Answer.HOLD; // the limit of entries is reached
    }
    if (counter.replicas().isEmpty()) {
      return Answer.REPLICAS_UNKNOWN;
    }
    return count + 1 <= most(counter.replicas().getAsInt(), percent) ? Answer.ENTER : Answer.HOLD;
  }
}
