package io.probelet.agent.cluster.restart;

import io.probelet.agent.cluster.pods.ClusterPod;
import io.probelet.probe.PodRef;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Has a say in whether a pod that was ready turns unready. Safe for use by several threads. */
public interface UnreadyGate {
  /** Where every pod may. */
  UnreadyGate OPEN =
      new UnreadyGate() {
        @Override
        public CompletableFuture<Boolean> ask(ClusterPod pod, Set<String> containers) {
          return CompletableFuture.completedFuture(true);
        }

        @Override
        public void ready(PodRef pod) {}
      };

  /**
   * {@return whether a pod may turn unready now; if not it is asked again} Answers at once, or on
   * another thread.
   *
   * @param containers those that are not ready
   */
  CompletableFuture<Boolean> ask(ClusterPod pod, Set<String> containers);

  /** A pod that was asked about is ready again. */
  void ready(PodRef pod);
}
