package io.probelet.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.kube.event.ApiEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * deploy/admission-policy.yaml limits what the agents' roles allow. There is no CEL here: that its
 * expressions are right is for an API server to show, in AdmissionPolicyRealApiTest.
 */
class AdmissionPolicyTest {
  private static final List<String> FILES =
      List.of(
          "admission-policy.yaml",
          "remediators/admission-policy.yaml",
          "variants/admission-policy-evictions.yaml",
          "variants/admission-policy-events.yaml");
  private static final Pattern TYPES = Pattern.compile("\\('([A-Za-z ]+)'\\.split\\(' '\\)");

  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  private final List<JsonNode> policies = new ArrayList<>();
  private final List<JsonNode> bindings = new ArrayList<>();

  AdmissionPolicyTest() throws IOException {
    for (String file : FILES) {
      for (JsonNode object : DeployManifests.file(file)) {
        boolean policy = object.path("kind").asText().equals("ValidatingAdmissionPolicy");
        (policy ? policies : bindings).add(object);
      }
    }
  }

  @Test
  @DisplayName("each is bound, denies, and fails closed")
  void bound() {
    assertThat(policies).hasSameSizeAs(bindings).isNotEmpty();
    for (int i = 0; i < policies.size(); i++) {
      JsonNode policy = policies.get(i);
      JsonNode binding = bindings.get(i);
      assertThat(policy.path("apiVersion").asText()).isEqualTo("admissionregistration.k8s.io/v1");
      assertThat(policy.at("/spec/failurePolicy").asText()).isEqualTo("Fail");
      assertThat(binding.path("kind").asText()).isEqualTo("ValidatingAdmissionPolicyBinding");
      assertThat(binding.at("/metadata/name")).isEqualTo(policy.at("/metadata/name"));
      assertThat(binding.at("/spec/policyName")).isEqualTo(policy.at("/metadata/name"));
      assertThat(binding.at("/spec/validationActions")).hasToString("[\"Deny\"]");
      assertThat(binding.at("/spec/paramRef").isMissingNode())
          .isEqualTo(policy.at("/spec/paramKind").isMissingNode());
    }
  }

  @Test
  @DisplayName("each is about the agents' service account")
  void agents() throws IOException {
    JsonNode account = DeployManifests.file("daemonset.yaml").get(1);
    assertThat(account.path("kind").asText()).isEqualTo("ServiceAccount");
    for (JsonNode policy : policies) {
      assertThat(policy.at("/spec/matchConditions/0/expression").asText())
          .endsWith(
              "'system:serviceaccount:%s:%s'"
                  .formatted(
                      account.at("/metadata/namespace").asText(),
                      account.at("/metadata/name").asText()));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "daemonset.yaml",
        "variants/daemonset-nonroot.yaml",
        "node-monitor.yaml",
        "remediators/agents.yaml"
      })
  @DisplayName("every write that the agents' roles allow is looked at")
  void everyWrite(String file) throws IOException {
    Set<String> looked = new TreeSet<>();
    for (JsonNode policy : policies) {
      for (JsonNode rule : policy.at("/spec/matchConstraints/resourceRules")) {
        for (JsonNode resource : rule.path("resources")) {
          for (JsonNode operation : rule.path("operations")) {
            looked.add(operation.asText() + " " + resource.asText());
          }
        }
      }
    }
    for (JsonNode object : DeployManifests.file(file)) {
      for (JsonNode rule : object.path("rules")) {
        for (JsonNode resource : rule.path("resources")) {
          for (JsonNode verb : rule.path("verbs")) {
            operation(verb.asText())
                .ifPresent(operation ->
                    assertThat(looked)
                        .containsAnyOf(
                            operation + " " + resource.asText(),
                            operation + " " + resource.asText().replaceAll("/.*", "/*")));
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
  @DisplayName("the node is that of the token, and whoever has none is refused")
  void node() {
    for (JsonNode policy : policies) {
      JsonNode first = policy.at("/spec/variables/0");
      assertThat(first.path("name").asText()).isEqualTo("node");
      assertThat(first.path("expression").asText())
          .contains("request.userInfo.extra['authentication.kubernetes.io/node-name'][0]");
      assertThat(policy.at("/spec/validations").toString()).contains("variables.node");
    }
  }

  @Test
  @DisplayName(
      "conditions that may be written are those of the built-in monitors, none the kubelet's")
  void conditions() throws IOException {
    JsonNode ours =
        policies
            .getFirst()
            .at("/spec/variables")
            .valueStream()
            .filter(variable -> variable.path("name").asText().equals("ours"))
            .findFirst()
            .orElseThrow();
    Matcher types = TYPES.matcher(ours.path("expression").asText());
    assertThat(types.find()).isTrue();
    assertThat(Arrays.asList(types.group(1).split(" ", -1)))
        .containsExactlyElementsOf(builtIn())
        .doesNotContain("Ready", "MemoryPressure", "DiskPressure", "PIDPressure");
  }

  @Test
  @DisplayName("C2 an agent cuts its texts to what the policies take")
  void bounds() throws IOException {
    String all = Files.readString(DeployManifests.DEPLOY.resolve("admission-policy.yaml"));
    for (String field : List.of("each.message", "variables.event.message")) {
      assertThat(all).contains(field + ".size() <= " + ApiEvent.MAX_MESSAGE);
    }
    for (String field :
        List.of("each.reason", "variables.event.reason", "variables.event.source.component")) {
      assertThat(all).contains(field + ".size() <= " + ApiEvent.MAX_REASON);
    }
  }

  /** Of an earlier version, so that an agent can take it off its Node after an upgrade. */
  private static final String GONE = "FrequentUnregisterNetDevice";

  /** The list in docs/how-to/node-monitoring.md, which a test of node-health checks. */
  private static List<String> builtIn() throws IOException {
    Stream<String> listed =
        Files.readAllLines(Path.of("..", "docs", "how-to", "node-monitoring.md")).stream()
            .dropWhile(line -> !line.startsWith("| condition | reason |"))
            .skip(2)
            .takeWhile(line -> line.startsWith("|"))
            .flatMap(row -> CODE.matcher(row.split("\\|", -1)[1]).results())
            .map(found -> found.group(1));
    return Stream.concat(listed, Stream.of(GONE)).distinct().sorted().toList();
  }
}
