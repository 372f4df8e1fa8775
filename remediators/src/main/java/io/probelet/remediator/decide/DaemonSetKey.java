package io.probelet.remediator.decide;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.kube.Metadata;
import org.jspecify.annotations.Nullable;

/**
 * The DaemonSet that a pod names as its controller. A pod's author may name one that does not
 * exist.
 *
 * @param namespace the namespace of both
 */
public record DaemonSetKey(String namespace, String name, String uid) {
  private static final int MAX_NAME = 253;
  private static final int MAX_UID = 64;

  /** {@return what identifies a DaemonSet} */
  public static DaemonSetKey of(JsonNode daemonSet) {
    return new DaemonSetKey(
        daemonSet.at("/metadata/namespace").asText(),
        daemonSet.at("/metadata/name").asText(),
        Metadata.uid(daemonSet));
  }

  /** {@return the owner if it can be a DaemonSet; null if it is none, or none of that name is} */
  static @Nullable DaemonSetKey of(String namespace, JsonNode owner) {
    String name = owner.path("name").asText();
    String uid = owner.path("uid").asText();
    boolean possible =
        owner.path("kind").asText().equals("DaemonSet")
            && owner.path("apiVersion").asText().startsWith("apps/")
            && name.length() <= MAX_NAME
            && uid.length() <= MAX_UID;
    return possible ? new DaemonSetKey(namespace, name, uid) : null;
  }
}
