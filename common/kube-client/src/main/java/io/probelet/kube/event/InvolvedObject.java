package io.probelet.kube.event;

/**
 * What an Event is about.
 *
 * @param namespace its namespace, and the Event's; empty if it has none
 * @param fieldPath which part of it, as {@code spec.containers{web}}; empty for the whole
 */
public record InvolvedObject(
    String apiVersion, String kind, String namespace, String name, String uid, String fieldPath) {
  /** Where Events are about what has no namespace. */
  private static final String DEFAULT_NAMESPACE = "default";

  private static final String POD = "Pod";

  /**
   * A pod or a part of one.
   *
   * @param fieldPath which part of it; empty for the whole
   */
  public static InvolvedObject pod(String namespace, String name, String uid, String fieldPath) {
    return new InvolvedObject("v1", POD, namespace, name, uid, fieldPath);
  }

  /**
   * A Node. As the kubelet does, its name is sent as its uid: {@code kubectl describe node} asks
   * for that.
   *
   * @param namespace where Events about it are, as node-problem-detector lets its user choose, the
   *     Node seems to be in it as well; empty for the usual namespace
   */
  public static InvolvedObject node(String name, String namespace) {
    return new InvolvedObject("v1", "Node", namespace, name, name, "");
  }

  /** An object without a namespace. */
  public static InvolvedObject clusterScoped(
      String apiVersion, String kind, String name, String uid) {
    return new InvolvedObject(apiVersion, kind, "", name, uid, "");
  }

  /** Whether a tenant decides how often something happens to it. */
  boolean isPod() {
    return kind.equals(POD);
  }

  /** The object as a whole, whichever part of it this is about. */
  InvolvedObject whole() {
    return fieldPath.isEmpty()
        ? this
        : new InvolvedObject(apiVersion, kind, namespace, name, uid, "");
  }

  String eventNamespace() {
    return namespace.isEmpty() ? DEFAULT_NAMESPACE : namespace;
  }
}
