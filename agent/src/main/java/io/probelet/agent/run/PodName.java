package io.probelet.agent.run;

import io.probelet.probe.PodRef;

/** What stays the same when a pod is replaced by another. */
record PodName(String namespace, String name) {
  static PodName of(PodRef pod) {
    return new PodName(pod.namespace(), pod.name());
  }
}
