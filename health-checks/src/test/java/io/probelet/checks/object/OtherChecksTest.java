package io.probelet.checks.object;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSetBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.probelet.checks.object.EnoughNodes.Scaling;
import io.probelet.checks.result.CheckResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OtherChecksTest {

  private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
  private static final Rollout ROLLOUT = new Rollout(TEN_MINUTES);

  @Test
  @DisplayName("CH-22 any resource by a list of conditions")
  void conditions() {
    HasMetadata issuer =
        generic(Map.of("conditions", List.of(Map.of("type", "Ready", "status", "True"))));
    ConditionExpectation ready = ConditionExpectation.required("Ready", "True");

    assertThat(AnyResource.conditions(ready).check(issuer)).isEqualTo(CheckResult.healthy());
    assertThat(
            AnyResource.conditions(ready, ConditionExpectation.required("Synced", "True"))
                .check(issuer))
        .isEqualTo(CheckResult.unhealthy("condition \"Synced\" is missing"));
    assertThat(
            AnyResource.conditions(ready, ConditionExpectation.ifPresent("Stalled", "False"))
                .check(issuer))
        .isEqualTo(CheckResult.healthy());
    assertThat(AnyResource.conditions(ready).check(generic(Map.of())))
        .isEqualTo(CheckResult.unhealthy("condition \"Ready\" is missing"));
  }

  @ParameterizedTest
  @DisplayName("CH-22 any resource by a field")
  @CsvSource({
    "/status/phase,    Ready,",
    "/status/ready,    true,",
    "/status/replicas, 3,",
    "/metadata/name,   thing,",
    "/status/phase,    Gone, '/status/phase is \"Ready\" (expected \"Gone\")'",
    "/status/colour,   red,  '/status/colour is missing (expected \"red\")'",
  })
  void field(String pointer, String expected, @Nullable String message) {
    HasMetadata resource = generic(Map.of("phase", "Ready", "ready", true, "replicas", 3));

    assertThat(AnyResource.field(pointer, expected).check(resource))
        .isEqualTo(message == null ? CheckResult.healthy() : CheckResult.unhealthy(message));
  }

  @Test
  @DisplayName("CH-22 a typed object is any resource, too")
  void typedField() {
    assertThat(
            AnyResource.field("/status/phase", "Running")
                .check(new PodBuilder().withNewStatus().withPhase("Running").endStatus().build()))
        .isEqualTo(CheckResult.healthy());
    assertThatThrownBy(() -> AnyResource.field("status.phase", "x"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest
  @DisplayName("CH-23 enough ready nodes, or a scaling that may take its time")
  @CsvSource({
    "3, 3, 3, NONE,",
    "3, 4, 4, NONE,",
    "0, 0, 0, NONE,",
    "3, 3, 2, NONE, not enough ready nodes (2/3)",
    "3, 3, 2, UP,   nodes are being added (2/3 ready)",
    "3, 3, 3, UP,",
    "3, 5, 5, DOWN, nodes are being removed (5/3)",
    "3, 3, 2, DOWN, not enough ready nodes (2/3)",
  })
  void nodes(int wanted, int registered, int ready, Scaling scaling, @Nullable String message) {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < registered; i++) {
      nodes.add(
          new NodeBuilder()
              .withNewStatus()
              .addNewCondition()
              .withType("Ready")
              .withStatus(i < ready ? "True" : "Unknown")
              .endCondition()
              .endStatus()
              .build());
    }

    CheckResult expected =
        message == null
            ? CheckResult.healthy()
            : message.startsWith("nodes are being")
                ? CheckResult.progressing(message, TEN_MINUTES)
                : CheckResult.unhealthy(message);
    assertThat(new EnoughNodes(wanted, scaling, TEN_MINUTES).check(nodes)).isEqualTo(expected);
    assertThatThrownBy(() -> new EnoughNodes(-1, scaling, TEN_MINUTES))
        .hasMessage("wanted nodes is -1; use 0 or more");
  }

  @ParameterizedTest
  @DisplayName("CH-24 a Deployment is rolled out when its new replica set is the available one")
  @CsvSource({
    "1, True,  NewReplicaSetAvailable, m,",
    "1, True,  ReplicaSetUpdated,      2 of 3 updated, 2 of 3 updated",
    "1, False, ProgressDeadlineExceeded, too late,     too late",
    "0, True,  NewReplicaSetAvailable, m, observed generation outdated (0/1)",
  })
  void deployment(
      long observed, String status, String reason, String message, @Nullable String expected) {
    assertProgress(
        ROLLOUT.check(
            new DeploymentBuilder()
                .withNewMetadata()
                .withGeneration(1L)
                .endMetadata()
                .withNewStatus()
                .withObservedGeneration(observed)
                .addNewCondition()
                .withType("Progressing")
                .withStatus(status)
                .withReason(reason)
                .withMessage(message)
                .endCondition()
                .endStatus()
                .build()),
        expected);
  }

  @Test
  @DisplayName("CH-24 a Deployment without rollout status is progressing")
  void silentDeployment() {
    assertProgress(
        ROLLOUT.check(new DeploymentBuilder().withNewMetadata().endMetadata().build()),
        "condition \"Progressing\" is missing");
  }

  @ParameterizedTest
  @DisplayName("CH-24 the others are rolled out when all are updated")
  @CsvSource({"3, 3,", "2, 3, 2 of 3 replica(s) have been updated"})
  void others(int updated, int desired, @Nullable String expected) {
    assertProgress(
        ROLLOUT.check(
            new StatefulSetBuilder()
                .withNewMetadata()
                .endMetadata()
                .withNewSpec()
                .withReplicas(desired)
                .endSpec()
                .withNewStatus()
                .withUpdatedReplicas(updated)
                .endStatus()
                .build()),
        expected);
    assertProgress(
        ROLLOUT.check(
            new DaemonSetBuilder()
                .withNewMetadata()
                .endMetadata()
                .withNewStatus()
                .withUpdatedNumberScheduled(updated)
                .withDesiredNumberScheduled(desired)
                .endStatus()
                .build()),
        expected);
  }

  @Test
  @DisplayName("CH-24 progress is asked for by joining two checks; the first finding counts")
  void joined() {
    ObjectCheck<String> first = text -> check(text, 'a');
    ObjectCheck<String> both = first.and(text -> check(text, 'b'));

    assertThat(both.check("ab")).isEqualTo(CheckResult.healthy());
    assertThat(both.check("b")).isEqualTo(CheckResult.unhealthy("no a"));
    assertThat(both.check("a")).isEqualTo(CheckResult.unhealthy("no b"));
  }

  private static CheckResult check(String text, char wanted) {
    return text.indexOf(wanted) >= 0
        ? CheckResult.healthy()
        : CheckResult.unhealthy("no " + wanted);
  }

  private static void assertProgress(CheckResult result, @Nullable String expected) {
    assertThat(result)
        .isEqualTo(
            expected == null
                ? CheckResult.healthy()
                : CheckResult.progressing(expected, TEN_MINUTES));
  }

  private static HasMetadata generic(Map<String, Object> status) {
    GenericKubernetesResource resource = new GenericKubernetesResource();
    resource.setApiVersion("example.org/v1");
    resource.setKind("Thing");
    resource.setMetadata(new ObjectMetaBuilder().withName("thing").build());
    resource.setAdditionalProperty("status", status);
    return resource;
  }
}
