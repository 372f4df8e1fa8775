package io.probelet.kube.workload;

import java.util.List;

/** Decides whether one more pod of a workload may restart now (D-8). */
final class RestartRules {
  private static final int PERCENT = 100;

  private RestartRules() {}

  /** What an agent does about a pod. */
  enum Answer {
    /** It is in the list already. */
    IN,
    /** It may be put into the list. */
    ENTER,
    /** Too many restart. */
    HOLD,
    /** Nobody has said yet how many there may be. */
    REPLICAS_UNKNOWN
  }

  /** How many of so many replicas may restart at once: a part of them, and always one. */
  static int most(int replicas, int percent) {
    return (int) Math.max(1, (long) replicas * percent / PERCENT);
  }

  /**
   * Decides.
   *
   * @param percent of the replicas that may restart at once, 1 to 99
   */
  static Answer decide(RestartCounter counter, String node, String pod, int percent) {
    List<String> here = counter.on(node);
    if (here.contains(pod)) {
      return Answer.IN;
    }
    int count = counter.count();
    if (count == 0) {
      return Answer.ENTER; // one may always, of how many ever
    }
    if (here.size() >= RestartCounter.MAX_PODS) {
      return Answer.HOLD; // there is no room for more
    }
    if (counter.replicas().isEmpty()) {
      return Answer.REPLICAS_UNKNOWN;
    }
    return count + 1 <= most(counter.replicas().getAsInt(), percent) ? Answer.ENTER : Answer.HOLD;
  }
}
