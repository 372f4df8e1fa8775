package io.probelet.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.cli.agent.AgentCommand;
import io.probelet.cli.controller.ControllerCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** deploy/controller.yaml, who has which rights, and the one file in which agents lead. */
class ControllerDeployTest {
  private static final String AGENT = "probelet-agent";
  private static final String CONTROLLER = "probelet-controller";
  private static final List<String> BINDINGS = List.of("ClusterRoleBinding", "RoleBinding");

  private static JsonNode object(List<JsonNode> objects, String kind) {
    return objects.stream()
        .filter(each -> each.path("kind").asText().equals(kind))
        .findFirst()
        .orElseThrow();
  }

  private static JsonNode pod() throws IOException {
    return object(DeployManifests.file("controller.yaml"), "Deployment").at("/spec/template/spec");
  }

  /** All objects that {@code kubectl apply -f deploy/} makes. */
  private static List<JsonNode> applied() throws IOException {
    List<JsonNode> objects = new ArrayList<>();
    try (Stream<Path> all = Files.list(DeployManifests.DEPLOY)) {
      for (Path file : all.filter(each -> each.toString().endsWith(".yaml")).sorted().toList()) {
        objects.addAll(DeployManifests.file(file.getFileName().toString()));
      }
    }
    return objects;
  }

  /** The rights of a service account, as {@code verb resource}, and names where they are bound. */
  private static Set<String> rights(List<JsonNode> objects, String account) {
    Set<String> rights = new TreeSet<>();
    for (JsonNode binding : objects) {
      if (BINDINGS.contains(binding.path("kind").asText())
          && binding.at("/subjects/0/name").asText().equals(account)) {
        assertThat(binding.path("subjects")).hasSize(1);
        objects.stream().filter(role -> isRoleOf(binding, role)).forEach(role -> add(role, rights));
      }
    }
    return rights;
  }

  private static boolean isRoleOf(JsonNode binding, JsonNode role) {
    String aggregated = binding.at("/roleRef/name").asText() + "-base";
    return role.path("kind").equals(binding.at("/roleRef/kind"))
        && role.at("/metadata/namespace").equals(binding.at("/metadata/namespace"))
        && (role.at("/metadata/name").equals(binding.at("/roleRef/name"))
            || role.at("/metadata/name").asText().equals(aggregated));
  }

  private static void add(JsonNode role, Set<String> rights) {
    for (JsonNode rule : role.path("rules")) {
      for (JsonNode resource : rule.path("resources")) {
        for (JsonNode verb : rule.path("verbs")) {
          rights.add(
              verb.asText()
                  + " "
                  + resource.asText()
                  + (rule.has("resourceNames") ? " " + rule.at("/resourceNames/0").asText() : ""));
        }
      }
    }
  }

  @Test
  @DisplayName("B2 agents: their pods, their events, leases, the status of nodes; nothing else")
  void agents() throws IOException {
    assertThat(rights(applied(), AGENT))
        .containsExactly(
            "create events",
            "create leases",
            "get nodes/status",
            "list pods",
            "patch events",
            "patch leases",
            "patch nodes/status",
            "patch pods/status",
            "watch pods");
  }

  @Test
  @DisplayName("B2 the controller: no Secrets, no webhook configurations, no pods")
  void controller() throws IOException {
    assertThat(rights(applied(), CONTROLLER))
        .isNotEmpty()
        .noneMatch(right -> right.contains("secrets"))
        .noneMatch(right -> right.contains("webhookconfigurations"))
        .noneMatch(right -> right.contains("pods"))
        .filteredOn(right -> right.endsWith("leases") && !right.endsWith("list leases"))
        .doesNotContain("patch leases");
  }

  @Test
  @DisplayName("B2 changing webhook configurations is a role of its own, with what it means")
  void webhooks() throws IOException {
    for (String file : List.of("webhook-constraints.yaml", "webhook-remediation.yaml")) {
      List<JsonNode> objects = DeployManifests.file("variants/" + file);
      assertThat(objects)
          .extracting(object -> object.path("kind").asText())
          .containsExactly("ClusterRole", "ClusterRoleBinding");
      assertThat(objects.getFirst().path("metadata").has("labels")).as("aggregated").isFalse();
    }
    assertThat(rights(DeployManifests.file("variants/webhook-remediation.yaml"), CONTROLLER))
        .containsExactly(
            "update mutatingwebhookconfigurations", "update validatingwebhookconfigurations");
    assertThat(
            Files.readString(DeployManifests.DEPLOY.resolve("variants/webhook-remediation.yaml")))
        .contains("Risk: ");
  }

  @Test
  @DisplayName("B1 the controller has nothing of its node: no root, no host, no capability")
  void confined() throws IOException {
    JsonNode pod = pod();
    assertThat(pod.path("serviceAccountName").asText()).isEqualTo(CONTROLLER);
    assertThat(pod.toString()).doesNotContain("hostPath", "hostNetwork", "hostPID");
    assertThat(pod.at("/securityContext/runAsNonRoot").asBoolean()).isTrue();
    assertThat(pod.at("/securityContext/seccompProfile/type").asText()).isEqualTo("RuntimeDefault");
    JsonNode container = pod.at("/containers/0/securityContext");
    assertThat(container.path("readOnlyRootFilesystem").asBoolean()).isTrue();
    assertThat(container.path("allowPrivilegeEscalation").asBoolean(true)).isFalse();
    assertThat(container.path("capabilities")).hasToString("{\"drop\":[\"ALL\"]}");
    assertThat(pod.path("priorityClassName").asText()).isEqualTo("system-cluster-critical");
  }

  @Test
  @DisplayName("B1 two replicas, apart from each other, of which a drain takes one at a time")
  void two() throws IOException {
    List<JsonNode> objects = DeployManifests.file("controller.yaml");
    JsonNode deployment = object(objects, "Deployment");
    JsonNode labels = deployment.at("/spec/template/metadata/labels");
    assertThat(deployment.at("/spec/replicas").asInt()).isEqualTo(2);
    assertThat(deployment.at("/spec/selector/matchLabels")).isEqualTo(labels);
    JsonNode budget = object(objects, "PodDisruptionBudget").path("spec");
    assertThat(budget.path("maxUnavailable").asInt()).isEqualTo(1);
    assertThat(budget.at("/selector/matchLabels")).isEqualTo(labels);
    assertThat(pod().at("/topologySpreadConstraints/0/labelSelector/matchLabels"))
        .isEqualTo(labels);
    JsonNode service = object(DeployManifests.file("remediation.yaml"), "Service");
    assertThat(service.at("/spec/selector")).isEqualTo(labels);
    assertThat(pod().at("/containers/0/ports"))
        .anyMatch(
            port -> port.path("containerPort").equals(service.at("/spec/ports/0/targetPort")));
  }

  @Test
  @DisplayName("arguments and environment are known to the command line")
  void commandLine() throws IOException {
    JsonNode container = pod().at("/containers/0");
    List<String> arguments = new ArrayList<>();
    container.path("args").forEach(argument -> arguments.add(argument.asText()));
    assertThat(arguments.removeFirst()).isEqualTo("controller");
    CommandLine line =
        new CommandLine(new ControllerCommand()).setCaseInsensitiveEnumValuesAllowed(true);
    line.parseArgs(arguments.toArray(String[]::new));
    String help = line.getUsageMessage().replaceAll("\\s+", " ");
    for (JsonNode variable : container.path("env")) {
      assertThat(help).contains(variable.path("name").asText());
    }
    assertThat(help).contains(container.at("/volumeMounts/0/mountPath").asText());
  }

  @Test
  @DisplayName("B1 all-in-one.yaml: the same rights for one account, and agents that lead")
  void allInOne() throws IOException {
    Set<JsonNode> expected = new HashSet<>();
    for (String file :
        List.of("daemonset.yaml", "remediation.yaml", "cluster-care.yaml", "node-monitor.yaml")) {
      DeployManifests.file(file).forEach(object -> expected.add(inOne(object)));
    }
    List<JsonNode> objects = DeployManifests.file("variants/all-in-one.yaml");
    JsonNode daemonSet = objects.removeLast();
    expected.removeIf(object -> object.path("kind").asText().equals("DaemonSet"));
    assertThat(objects).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(expected);

    JsonNode agents = object(DeployManifests.file("daemonset.yaml"), "DaemonSet");
    ObjectNode container = (ObjectNode) daemonSet.at("/spec/template/spec/containers/0");
    JsonNode plain = agents.at("/spec/template/spec/containers/0");
    assertThat(container.path("env").toString())
        .contains("{\"name\":\"PROBELET_LEAD\",\"value\":\"true\"}");
    assertThat(container.path("env")).containsAll(plain.path("env"));
    assertThat(container.path("args")).isEqualTo(plain.path("args"));
    assertThat(container.path("securityContext")).isEqualTo(plain.path("securityContext"));
    assertThat(new CommandLine(new AgentCommand()).getUsageMessage()).contains("PROBELET_LEAD");
    assertThat(container.path("volumeMounts"))
        .containsAll(plain.path("volumeMounts"))
        .contains(pod().at("/containers/0/volumeMounts/0"));
    assertThat(daemonSet.at("/spec/template/spec/volumes"))
        .containsAll(agents.at("/spec/template/spec/volumes"))
        .contains(pod().at("/volumes/0"));
    assertThat(daemonSet.at("/spec/template/spec/serviceAccountName").asText())
        .isEqualTo(object(objects, "ServiceAccount").at("/metadata/name").asText());
    assertThat(daemonSet.path("metadata")).isEqualTo(agents.path("metadata"));
    assertThat(Files.readString(DeployManifests.DEPLOY.resolve("variants/all-in-one.yaml")))
        .contains("Risk: this trusts");
  }

  private static JsonNode inOne(JsonNode object) {
    ObjectNode changed = object.deepCopy();
    String leading = "probelet-leading-agent";
    if (changed.at("/subjects/0") instanceof ObjectNode subject) {
      subject.put("name", leading);
    } else if (changed.path("kind").asText().equals("ServiceAccount")) {
      changed.withObject("metadata").put("name", leading);
    } else if (changed.path("kind").asText().equals("Service")) {
      changed.withObject("spec").withObject("selector").put("app.kubernetes.io/name", AGENT);
    }
    return changed;
  }
}
