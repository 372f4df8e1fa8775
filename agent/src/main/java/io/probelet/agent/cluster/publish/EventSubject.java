package io.probelet.agent.cluster.publish;

import io.probelet.probe.PodRef;

/**
 * What an event is about.
 *
 * @param kind Pod or Node
 * @param namespace its namespace, and the event's; empty if it has none
 * @param name its name
 * @param uid the API server's uid of it
 * @param container the container of the pod; empty when it is about the whole
 */
record EventSubject(String kind, String namespace, String name, String uid, String container) {
  /** Where events are about what has no namespace. */
  private static final String DEFAULT_NAMESPACE = "default";

  /** The kind of what has limits of its own. */
  static final String NODE = "Node";

  static EventSubject pod(PodRef pod, String container) {
    return new EventSubject("Pod", pod.namespace(), pod.name(), pod.uid(), container);
  }

  /** The kubelet has the name for a uid as well; {@code kubectl describe node} asks for that. */
  static EventSubject node(String name) {
    return new EventSubject(NODE, "", name, name, "");
  }

  /** The object as a whole, whichever container of it this is about. */
  EventSubject whole() {
    return container.isEmpty() ? this : new EventSubject(kind, namespace, name, uid, "");
  }

  String eventNamespace() {
    return namespace.isEmpty() ? DEFAULT_NAMESPACE : namespace;
  }
}
