package io.probelet.agent.cluster.publish;

import io.probelet.probe.PodRef;

/**
 * Something worth an event on a pod.
 *
 * @param pod the pod, under the API server's uid
 * @param container the container it is about; empty when it is about the pod
 * @param type Normal or Warning
 * @param reason one word in UpperCamelCase
 * @param about tells causes of the same reason apart, such as the probe's kind; possibly empty
 * @param message for the user
 */
record PodEvent(
    PodRef pod, String container, String type, String reason, String about, String message) {
  private static final int LONGEST = 1024;

  /** Cuts the message to what the API takes. */
  PodEvent {
    message = message.length() <= LONGEST ? message : message.substring(0, LONGEST - 1) + "…";
  }

  /** What makes two events one: everything but the words. */
  record Cause(PodRef pod, String container, String reason, String about) {}

  Cause cause() {
    return new Cause(pod, container, reason, about);
  }
}
