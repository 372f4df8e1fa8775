package io.probelet.agent.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * deploy/admission-policy.yaml limits what the agents' roles allow. There is no CEL here: that its
 * expressions are right is for an API server to show.
 */
class AdmissionPolicyTest {
  private final JsonNode policy;
  private final JsonNode binding;

  AdmissionPolicyTest() throws IOException {
    List<JsonNode> objects = Manifests.file("admission-policy.yaml");
    policy = objects.getFirst();
    binding = objects.getLast();
  }

  @Test
  @DisplayName("it is bound, denies, and fails closed")
  void bound() {
    assertThat(policy.path("apiVersion").asText()).isEqualTo("admissionregistration.k8s.io/v1");
    assertThat(policy.at("/spec/failurePolicy").asText()).isEqualTo("Fail");
    assertThat(binding.at("/spec/policyName")).isEqualTo(policy.at("/metadata/name"));
    assertThat(binding.at("/spec/validationActions")).hasToString("[\"Deny\"]");
  }

  @Test
  @DisplayName("it is about the agents' service account")
  void agents() throws IOException {
    JsonNode account = Manifests.file("daemonset.yaml").get(1);
    assertThat(account.path("kind").asText()).isEqualTo("ServiceAccount");
    assertThat(policy.at("/spec/matchConditions/0/expression").asText())
        .endsWith(
            "'system:serviceaccount:%s:%s'"
                .formatted(
                    account.at("/metadata/namespace").asText(),
                    account.at("/metadata/name").asText()));
  }

  @Test
  @DisplayName("every write that the DaemonSet's roles allow is looked at")
  void everyWrite() throws IOException {
    Set<String> looked = new TreeSet<>();
    for (JsonNode rule : policy.at("/spec/matchConstraints/resourceRules")) {
      for (JsonNode resource : rule.path("resources")) {
        for (JsonNode operation : rule.path("operations")) {
          looked.add(operation.asText() + " " + resource.asText());
        }
      }
    }
    for (JsonNode object : Manifests.file("daemonset.yaml")) {
      for (JsonNode rule : object.path("rules")) {
        for (JsonNode resource : rule.path("resources")) {
          for (JsonNode verb : rule.path("verbs")) {
            operation(verb.asText())
                .ifPresent(
                    operation -> assertThat(looked).contains(operation + " " + resource.asText()));
          }
        }
      }
    }
  }

  private static Optional<String> operation(String verb) {
    return switch (verb) {
      case "create" -> Optional.of("CREATE");
      case "patch", "update" -> Optional.of("UPDATE");
      case "delete" -> Optional.of("DELETE");
      default -> Optional.empty();
    };
  }

  @Test
  @DisplayName("the node is that of the token, and each kind of object has its own sentence")
  void expressions() {
    assertThat(policy.at("/spec/variables/0/expression").asText())
        .contains("request.userInfo.extra['authentication.kubernetes.io/node-name'][0]");
    List<String> resources = List.of("pods", "nodes", "events", "leases");
    for (String resource : resources) {
      assertThat(policy.at("/spec/validations"))
          .anySatisfy(validation ->
              assertThat(validation.path("expression").asText())
                  .startsWith("request.resource.resource != '" + resource + "'")
                  .contains("variables.node"));
    }
    assertThat(policy.at("/spec/validations")).hasSize(1 + resources.size());
    for (JsonNode validation : policy.at("/spec/validations")) {
      String expression = validation.path("expression").asText();
      assertThat(expression.chars().filter(c -> c == '(').count())
          .isEqualTo(expression.chars().filter(c -> c == ')').count());
    }
  }
}
