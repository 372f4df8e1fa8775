package io.probelet.probe.engine;

import io.probelet.probe.Verdict.Reason;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a pod may start another probe, from the running and recent probes of all pods and
 * the time. Each loop has its share of the node's limits.
 *
 * <p>The lower half of the node's limit is first come, first served. The upper half is divided
 * evenly among all pods, so that busy pods take nothing from a pod with few probes.
 */
final class LoopBudget {
  private static final int BURST_SECONDS = 2;

  private final ProbeLimits limits;
  private final int inFlightLimit;
  private final double perSecond;
  private final ShareBucket begins;
  private int pods;
  private int inFlight;

  /** The running and recent probes of one pod. */
  final class Pod {
    private final ShareBucket own;
    private final ShareBucket share;
    private int inFlight;

    /** Whether it ever started a probe: a pod without probes needs no share. */
    private boolean asks;

    private Pod(long now) {
      own = new ShareBucket((double) BURST_SECONDS * limits.podPerSecond(), now);
      share = new ShareBucket(limits.podInFlight(), now);
    }
  }

  /** Nothing is under way yet. */
  LoopBudget(ProbeLimits limits, int loops, long now) {
    this.limits = limits;
    inFlightLimit = Math.max(limits.podInFlight(), limits.nodeInFlight() / loops);
    perSecond = Math.max(limits.podPerSecond(), (double) limits.nodePerSecond() / loops);
    begins = new ShareBucket(perSecond, now);
  }

  /** Opens the account of one more pod, which counts once it asks. */
  Pod open(long now) {
    return new Pod(now);
  }

  /** Removes a pod; its running probes count until they end. */
  void close(Pod pod) {
    if (pod.asks) {
      pods--;
    }
  }

  /** {@return whether a probe with this number of parts can ever start} */
  boolean fits(int parts) {
    return parts <= limits.podInFlight();
  }

  /** {@return why a pod may not start a probe with this number of parts now, or null} */
  @Nullable Reason refusal(Pod pod, int parts, long now) {
    if (!pod.asks) {
      pod.asks = true;
      pods++;
    }
    if (pod.inFlight + parts > limits.podInFlight()
        || pod.own.fill(limits.podPerSecond(), now) < parts) {
      return Reason.POD_BUDGET;
    }
    int share = inFlightLimit / 2 / pods;
    boolean ownPlace = pod.inFlight == 0 || pod.inFlight + parts <= share;
    if (inFlight + parts > inFlightLimit / 2 && !ownPlace) {
      return Reason.NODE_BUDGET;
    }
    return withinShare(pod, parts, now) ? null : Reason.NODE_BUDGET;
  }

  private boolean withinShare(Pod pod, int parts, long now) {
    double ownBegins = pod.share.fill(perSecond / 2 / Math.max(1, pods), now);
    return lowerHalf(parts, now) || ownBegins >= parts;
  }

  /**
   * {@return why one more request of a probe under way is refused; null if it is counted instead}
   */
  @Nullable Reason further(Pod pod, long now) {
    if (pod.own.fill(limits.podPerSecond(), now) < 1) {
      return Reason.POD_BUDGET;
    }
    if (!withinShare(pod, 1, now)) {
      return Reason.NODE_BUDGET;
    }
    charge(pod, 1, now);
    return null;
  }

  private boolean lowerHalf(int parts, long now) {
    return begins.fill(perSecond, now) - parts >= perSecond / 2;
  }

  /** Records the start of a probe. */
  void begin(Pod pod, int parts, long now) {
    pod.inFlight += parts;
    inFlight += parts;
    charge(pod, parts, now);
  }

  /** Records that the same probe is tried once more; only to be called without a refusal. */
  void charge(Pod pod, int parts, long now) {
    if (!lowerHalf(parts, now)) {
      pod.share.take(parts);
    }
    pod.own.take(parts);
    begins.take(parts);
  }

  /** {@return whether a probe that is under way may be tried once more} */
  boolean again(Pod pod, int parts, long now) {
    boolean may = pod.own.fill(limits.podPerSecond(), now) >= parts && lowerHalf(parts, now);
    if (may) {
      charge(pod, parts, now);
    }
    return may;
  }

  /** Records that a probe ended. */
  void end(Pod pod, int parts) {
    pod.inFlight -= parts;
    inFlight -= parts;
  }

  /** {@return how many are under way on this loop} */
  int inFlight() {
    return inFlight;
  }

  /** {@return the message about a probe that was delayed} */
  String message(Reason reason, int parts) {
    if (!fits(parts)) {
      return "the probe has "
          + parts
          + " handlers, and a pod may have "
          + limits.podInFlight()
          + " under way; it is not run";
    }
    return reason == Reason.POD_BUDGET
        ? "the pod asks for more than "
            + limits.podInFlight()
            + " probes at a time or "
            + limits.podPerSecond()
            + " a second; probes beyond that are discarded"
        : "the pods of this node ask for more than "
            + limits.nodeInFlight()
            + " probes at a time or "
            + limits.nodePerSecond()
            + " a second; probes beyond this pod's share are discarded";
  }

  /**
   * Lets so many things happen in a second, and as many at once as it has saved up. Unlike the
   * bucket in health-model it fills at another rate each time it is read, in parts of one: a pod's
   * share is smaller the more pods ask.
   */
  static final class ShareBucket {
    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

    private final double capacity;
    private double tokens;
    private long filledAt;

    /** Creates a full bucket. */
    ShareBucket(double capacity, long now) {
      this.capacity = capacity;
      tokens = capacity;
      filledAt = now;
    }

    /** {@return what is in it now, having been filled at a rate since it was read last} */
    double fill(double perSecond, long now) {
      long passed = Math.max(0, now - filledAt);
      filledAt = now;
      tokens = Math.min(capacity, tokens + passed / NANOS * perSecond);
      return tokens;
    }

    /** Takes up to the wanted amount. */
    void take(double wanted) {
      tokens = Math.max(0, tokens - wanted);
    }
  }
}
