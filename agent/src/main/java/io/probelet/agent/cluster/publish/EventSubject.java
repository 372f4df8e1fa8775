package io.probelet.agent.cluster.publish;

import io.probelet.agent.cluster.pods.ClusterPod;
import io.probelet.probe.PodRef;

/**
 * What an event is about.
 *
 * @param kind Pod or Node
 * @param namespace its namespace, and the event's; empty if it has none
 * @param name its name
 * @param uid the API server's uid of it
 * @param fieldPath which part of it, as {@code spec.containers{web}}; empty when it is about the
 *     whole
 */
record EventSubject(String kind, String namespace, String name, String uid, String fieldPath) {
  /** Where events are about what has no namespace. */
  private static final String DEFAULT_NAMESPACE = "default";

  /** The kind of what has limits of its own. */
  static final String NODE = "Node";

  /** A pod; {@code container} is the one of it that this is about, empty for the whole. */
  static EventSubject pod(ClusterPod pod, String container) {
    return pod(pod.apiRef(), container.isEmpty() ? "" : pod.fieldPath(container));
  }

  static EventSubject pod(PodRef pod, String fieldPath) {
    return new EventSubject("Pod", pod.namespace(), pod.name(), pod.uid(), fieldPath);
  }

  /** The kubelet has the name for a uid as well; {@code kubectl describe node} asks for that. */
  static EventSubject node(String name) {
    return node(name, "");
  }

  /** As node-problem-detector does in a namespace of choice: the Node seems to be in it as well. */
  static EventSubject node(String name, String namespace) {
    return new EventSubject(NODE, namespace, name, name, "");
  }

  /** The object as a whole, whichever part of it this is about. */
  EventSubject whole() {
    return fieldPath.isEmpty() ? this : new EventSubject(kind, namespace, name, uid, "");
  }

  String eventNamespace() {
    return namespace.isEmpty() ? DEFAULT_NAMESPACE : namespace;
  }
}
