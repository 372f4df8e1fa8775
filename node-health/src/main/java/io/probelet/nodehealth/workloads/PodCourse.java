package io.probelet.nodehealth.workloads;

import java.time.Duration;

/**
 * For how long a pod has been down. Time down adds to its trouble, time Ready takes from it, so
 * that neither the short Ready moments of a crash loop nor short failures count for more than they
 * are:
 *
 * <pre>
 * Ready    ▔▔▔▔▔▔▔▔▔▔▔╲          ╱▔╲        ╱▔▔▔▔▔▔▔▔▔▔▔
 * down                 ╲▁▁▁▁▁▁▁▁╱   ╲▁▁▁▁▁▁╱
 * trouble  0           rises    falls rises: fails   falls to 0: healthy
 * </pre>
 *
 * @param trouble zero or more, at most what it takes to fail
 * @param wasReady whether it has been seen Ready
 * @param wasDown whether it was down last time: only from then on time counts
 */
record PodCourse(Duration trouble, boolean wasReady, boolean wasDown) {
  static final PodCourse UNSEEN = new PodCourse(Duration.ZERO, false, false);

  private static final PodCourse HEALTHY = new PodCourse(Duration.ZERO, true, false);

  /** WE-2: a slow start takes longer than a failure after a good start. */
  private static final int SLOW_START = 3;

  /** The course after some time in a state. */
  PodCourse after(WorkloadPod pod, Duration elapsed, Duration wait) {
    return switch (pod.state()) {
      case UNTRIED -> wasDown ? new PodCourse(trouble, wasReady, false) : this;
      case DOWN -> {
        Duration most = patience(pod, wait);
        Duration more = wasDown ? trouble.plus(elapsed) : trouble;
        yield new PodCourse(more.compareTo(most) > 0 ? most : more, wasReady, true);
      }
      case READY ->
          trouble.compareTo(elapsed) <= 0
              ? HEALTHY
              : new PodCourse(trouble.minus(elapsed), true, false);
    };
  }

  /** Time on a node that is not judged is no evidence. */
  PodCourse forgotten() {
    return wasReady ? HEALTHY : UNSEEN;
  }

  boolean fails(WorkloadPod pod, Duration wait) {
    return pod.isDown() && trouble.compareTo(patience(pod, wait)) >= 0;
  }

  boolean isHealthy(WorkloadPod pod) {
    return pod.isReady() && trouble.isZero();
  }

  private Duration patience(WorkloadPod pod, Duration wait) {
    return wasReady || pod.restarted() ? wait : wait.multipliedBy(SLOW_START);
  }
}
