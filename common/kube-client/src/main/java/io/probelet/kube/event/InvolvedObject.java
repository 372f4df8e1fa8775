package io.probelet.kube.event;

/**
 * The object of an Event.
 *
 * @param namespace its namespace, and the Event's; empty if it has none
 * @param fieldPath the part of it, such as {@code spec.containers{web}}; empty for the whole
 */
public record InvolvedObject(
    String apiVersion, String kind, String namespace, String name, String uid, String fieldPath) {
  /** The namespace of Events about cluster-scoped objects. */
  private static final String DEFAULT_NAMESPACE = "default";

  private static final String POD = "Pod";

  /**
   * A pod or a part of one.
   *
   * @param fieldPath the part of it; empty for the whole
   */
  public static InvolvedObject pod(String namespace, String name, String uid, String fieldPath) {
    return new InvolvedObject("v1", POD, namespace, name, uid, fieldPath);
  }

  /**
   * A Node. As in the kubelet, its name is sent as its uid: {@code kubectl describe node} searches
   * for that.
   *
   * @param namespace the namespace of its Events, configurable as in node-problem-detector, and
   *     reported as the Node's namespace too; empty for the default
   */
  public static InvolvedObject node(String name, String namespace) {
    return new InvolvedObject("v1", "Node", namespace, name, name, "");
  }

  /** An object without a namespace. */
  public static InvolvedObject clusterScoped(
      String apiVersion, String kind, String name, String uid) {
    return new InvolvedObject(apiVersion, kind, "", name, uid, "");
  }

  /** Whether a tenant determines how often events occur for it. */
  boolean isPod() {
    return kind.equals(POD);
  }

  /** The whole object, without the part. */
  InvolvedObject whole() {
    return fieldPath.isEmpty()
        ? this
        : new InvolvedObject(apiVersion, kind, namespace, name, uid, "");
  }

  String eventNamespace() {
    return namespace.isEmpty() ? DEFAULT_NAMESPACE : namespace;
  }
}
