package io.probelet.remediator.order;

import io.probelet.remediator.resource.RemediationKind;

/**
 * An order to one node, of which there is never more than one as it has the node's name.
 *
 * @param uid its unique identifier; empty before it is created
 * @param version its resourceVersion, which every write about it names; empty before it is created
 * @param deleting whether it is being withdrawn
 */
public record NodeOrder(
    String namespace,
    String node,
    String uid,
    String version,
    boolean deleting,
    OrderSpec spec,
    OrderStatus status) {
  /** Its kind in the API. */
  public static final String KIND = "NodeOrder";

  /** Its resource in the API. */
  public static final String PLURAL = "nodeorders";

  /** An order that is to be created. */
  public static NodeOrder draft(String namespace, String node, OrderSpec spec) {
    return new NodeOrder(namespace, node, "", "", false, spec, OrderStatus.NONE);
  }

  /** {@return the path of all orders of a namespace} */
  public static String collection(String namespace) {
    return "/apis/%s/namespaces/%s/%s".formatted(RemediationKind.API_VERSION, namespace, PLURAL);
  }

  /** {@return the path of the order} */
  public String path() {
    return collection(namespace) + "/" + node;
  }
}
