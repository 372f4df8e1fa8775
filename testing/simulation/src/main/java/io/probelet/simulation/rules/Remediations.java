package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.simulation.api.ObjectFields;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads remediations and the objects around them. */
public final class Remediations {
  /** The paths of the leases of nodes begin with this, then comes the node. */
  static final String NODE_LEASES =
      "/apis/coordination.k8s.io/v1/namespaces/medik8s-leases/leases/node-";

  /** The paths of the leases of the controller's parts begin with this, then comes the part. */
  static final String LEADER_LEASES =
      "/apis/coordination.k8s.io/v1/namespaces/probelet-system/leases/probelet-";

  private static final String CHECKS = "/apis/remediation.medik8s.io/v1alpha1/nodehealthchecks/";
  private static final String NODE_NAME = "remediation.medik8s.io/node-name";

  /** The annotation of a remediation that its NodeHealthCheck has given up. */
  static final String TIMED_OUT = "remediation.medik8s.io/nhc-timed-out";

  private Remediations() {}

  /** {@return the node that a remediation is for; nothing for any other object} */
  public static Optional<String> nodeOf(JsonNode object) {
    return ObjectFields.annotation(object, NODE_NAME);
  }

  /** The NodeHealthCheck that owns a remediation; nothing for any other object. */
  static Optional<String> owner(JsonNode object) {
    if (nodeOf(object).isEmpty()) {
      return Optional.empty();
    }
    return ObjectFields.items(object.at("/metadata/ownerReferences"))
        .filter(owner -> ObjectFields.kind(owner).equals("NodeHealthCheck"))
        .map(owner -> owner.path("name").asText())
        .findFirst();
  }

  /** The node that a remediation is for. */
  static String node(JsonNode remediation) {
    return nodeOf(remediation).orElse("");
  }

  /** All remediations that exist. */
  static Stream<JsonNode> all(Facts facts) {
    return facts.objects().values().stream().filter(each -> owner(each).isPresent());
  }

  /** A NodeHealthCheck, if it exists. */
  static Optional<JsonNode> check(Facts facts, String name) {
    return facts.object(CHECKS + name);
  }

  /** How many nodes must be healthy for a NodeHealthCheck; 0 if it does not say. */
  static int minHealthy(JsonNode check, int nodes) {
    String least = check.at("/spec/minHealthy").asText();
    if (least.isEmpty()) {
      return 0;
    }
    return least.endsWith("%")
        ? (int) Math.ceil(nodes * Integer.parseInt(least.replace("%", "")) / 100.0)
        : Integer.parseInt(least);
  }

  /** Whether a remediation may still act: it is running and has not been deleted. */
  static boolean inForce(JsonNode remediation) {
    return isRunning(remediation) && !ObjectFields.isDeleting(remediation);
  }

  /** Whether a remediation has neither timed out nor ended. */
  static boolean isRunning(JsonNode remediation) {
    return ObjectFields.annotation(remediation, TIMED_OUT).isEmpty()
        && ObjectFields.condition(remediation, "Succeeded").orElse("Unknown").equals("Unknown");
  }
}
