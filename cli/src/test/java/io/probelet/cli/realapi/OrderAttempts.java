package io.probelet.cli.realapi;

import static io.probelet.cli.realapi.AccessAttempt.allowed;
import static io.probelet.cli.realapi.AccessAttempt.refused;
import static io.probelet.cli.realapi.AgentWrites.HERE;
import static io.probelet.cli.realapi.AgentWrites.SYSTEM;
import static io.probelet.cli.realapi.AgentWrites.THERE;
import static io.probelet.cli.realapi.AgentWrites.merge;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;

/** What may be tried on orders to nodes. */
final class OrderAttempts {
  private OrderAttempts() {}

  static GenericKubernetesResource order(String node) {
    return Serialization.unmarshal(
        """
        apiVersion: probelet.io/v1alpha1
        kind: NodeOrder
        metadata: {name: %s, namespace: %s}
        spec: {action: Diagnose, bootID: b}
        """
            .formatted(node, SYSTEM),
        GenericKubernetesResource.class);
  }

  static void claim(KubernetesClient client, String node) {
    client
        .resource(order(node))
        .subresource("status")
        .patch(merge(), "{\"status\": {\"phase\": \"Claimed\", \"bootID\": \"b\"}}");
  }

  static List<AccessAttempt> orders() {
    String own = "may write only the status of the order to its own node " + HERE;
    return List.of(
        allowed("the status of that to its node", c -> claim(c, HERE)),
        refused("that to another node", own, c -> claim(c, THERE)),
        refused(
            "granting its own",
            own,
            c -> c.resource(order(HERE)).patch(merge(), "{\"spec\": {\"granted\": true}}")),
        refused("a new one", own, c -> c.resource(order("probelet-new")).create()),
        refused("deleting its own", own, c -> c.resource(order(HERE)).delete()));
  }
}
