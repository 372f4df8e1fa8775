package io.probelet.remediator.decide;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.OneLine;
import io.probelet.kube.Metadata;
import io.probelet.remediator.resource.RemediationProgress;
import org.jspecify.annotations.Nullable;

/** The Machine of Cluster API behind a node, as it was read for this decision. */
public sealed interface ObservedMachine {
  /** Annotation that makes a Machine's MachineHealthCheck replace it. */
  String MARK = "cluster.x-k8s.io/remediate-machine";

  /** The Machine is unknown. */
  record Unknown(String why) implements ObservedMachine {}

  /** The Machine named by the node does not exist. */
  record Missing(String name) implements ObservedMachine {}

  /**
   * The Machine exists.
   *
   * @param nodeName the node that it is, by its own word; empty if it does not say
   * @param owner the kind of who controls it; empty if nobody does
   * @param mark the value of {@link #MARK}, which may be empty; null without it
   * @param checked what its MachineHealthCheck says of it; empty if none checks it
   * @param deleting whether it is being deleted
   */
  record Found(
      String path,
      String name,
      String uid,
      String version,
      String nodeName,
      String owner,
      @Nullable String mark,
      String checked,
      boolean deleting)
      implements ObservedMachine {
    /** {@return whether whoever controls it makes another one in its place} */
    boolean isReplaced() {
      return owner.equals("MachineSet") || owner.endsWith("ControlPlane");
    }
  }

  /**
   * Reads a Machine.
   *
   * @param machine the resource, of any version
   * @return what decisions need of it
   */
  static Found read(String path, JsonNode machine) {
    JsonNode metadata = machine.path("metadata");
    String owner = "";
    for (JsonNode each : metadata.path("ownerReferences")) {
      if (each.path("controller").asBoolean()) {
        owner = each.path("kind").asText();
      }
    }
    String checked = "";
    for (JsonNode condition : machine.at("/status/conditions")) {
      if (condition.path("type").asText().equals("HealthCheckSucceeded")) {
        checked =
            OneLine.of(
                "%s %s %s"
                    .formatted(
                        condition.path("status").asText(),
                        condition.path("reason").asText(),
                        condition.path("message").asText()),
                RemediationProgress.MAX_MESSAGE);
      }
    }
    return new Found(
        path,
        metadata.path("namespace").asText() + "/" + metadata.path("name").asText(),
        Metadata.uid(machine),
        Metadata.version(machine),
        machine.at("/status/nodeRef/name").asText(),
        owner,
        metadata.path("annotations").path(MARK).textValue(),
        checked,
        metadata.hasNonNull("deletionTimestamp"));
  }
}
