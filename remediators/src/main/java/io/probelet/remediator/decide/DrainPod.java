package io.probelet.remediator.decide;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.kube.Metadata;
import java.util.Set;

/**
 * A pod on a node that is drained.
 *
 * @param key which
 * @param left whether it is left where it is: of a DaemonSet, of a file on the node, or finished
 * @param ending whether its end has been asked for
 */
public record DrainPod(PodKey key, boolean left, boolean ending) {
  private static final Set<String> FINISHED = Set.of("Succeeded", "Failed");

  /** On mirror pods: the kubelet's own, of which the API server has a copy. */
  static final String MIRROR_POD = "kubernetes.io/config.mirror";

  /**
   * Reads a pod.
   *
   * @param pod the resource
   * @return what a drain needs of it
   */
  public static DrainPod read(JsonNode pod) {
    return new DrainPod(
        new PodKey(
            pod.at("/metadata/namespace").asText(),
            pod.at("/metadata/name").asText(),
            Metadata.uid(pod)),
        isOfDaemonSet(pod)
            || pod.at("/metadata/annotations").has(MIRROR_POD)
            || FINISHED.contains(pod.at("/status/phase").asText()),
        pod.path("metadata").hasNonNull("deletionTimestamp"));
  }

  private static boolean isOfDaemonSet(JsonNode pod) {
    for (JsonNode owner : pod.at("/metadata/ownerReferences")) {
      if (owner.path("controller").asBoolean()
          && owner.path("kind").asText().equals("DaemonSet")
          && owner.path("apiVersion").asText().startsWith("apps/")) {
        return true;
      }
    }
    return false;
  }
}
