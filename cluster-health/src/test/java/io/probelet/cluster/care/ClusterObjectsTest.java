package io.probelet.cluster.care;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.probelet.checks.result.CheckResult.Healthy;
import io.probelet.checks.result.CheckResult.Progressing;
import io.probelet.checks.result.CheckResult.Unhealthy;
import io.probelet.document.selector.LabelSelector;
import io.probelet.health.VirtualTime;
import io.probelet.kube.FakeApiServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What rounds are told of objects: from watches as long as these know it, else from lists. */
@Timeout(240)
class ClusterObjectsTest {
  private final VirtualTime time = new VirtualTime();
  private FakeApiServer server;
  private KubernetesClient client;
  private ClusterObjects objects;

  @BeforeEach
  void open() throws IOException {
    server = new FakeApiServer();
    server.serve("v1", "Node");
    server.serve("apps/v1", "Deployment");
    client = server.client();
    objects = new ClusterObjects(client, time.clock(), new Random(1));
  }

  @AfterEach
  void close() {
    objects.close();
    client.close();
    server.close();
  }

  @Test
  @DisplayName("CH-51 objects are listed until a watch knows them, then nothing is asked any more")
  void followed() {
    deployment("town", "a", "True");
    assertThat(round()).containsExactly("town/a");
    awaitFollowed();
    int lists = server.lists().size();
    for (int i = 0; i < 5; i++) {
      assertThat(round()).containsExactly("town/a");
    }
    deployment("town", "b", "True");
    deployment("city", "c", "False");
    await()
        .untilAsserted(() -> assertThat(round()).containsExactly("city/c bad", "town/a", "town/b"));
    server.delete("/apis/apps/v1/namespaces/town/deployments/a");
    await().untilAsserted(() -> assertThat(round()).containsExactly("city/c bad", "town/b"));
    assertThat(server.lists()).hasSize(lists);
  }

  @Test
  @DisplayName("CH-51 of a broken watch nothing is believed: objects are listed, or nobody knows")
  void broken() {
    deployment("town", "a", "True");
    round();
    awaitFollowed();
    server.faults().refuseReads("watch=true", 500, "no watches today");
    server.cut();
    deployment("town", "a", "False");
    await().untilAsserted(() -> assertThat(round()).containsExactly("town/a bad"));
    server.faults().away(true);
    await()
        .untilAsserted(
            () -> assertThatThrownBy(this::round).isInstanceOf(KubernetesClientException.class));
    server.faults().away(false);
    await().untilAsserted(() -> assertThat(round()).containsExactly("town/a bad"));
  }

  @Test
  @DisplayName("CH-51 after a break a bookmark says that all has been caught up with")
  void caughtUp() {
    deployment("town", "a", "True");
    round();
    awaitFollowed();
    server.faults().refuseReads("watch=true", 500, "no watches today");
    server.cut();
    await().until(() -> !isFollowed());
    server.faults().refuseReads(null, 500, "");
    await().until(() -> server.openWatches() == 1);
    assertThat(isFollowed()).isFalse();
    server.bookmark();
    await().until(this::isFollowed);
  }

  @Test
  @DisplayName("CH-51 who may list and not watch sees the same, and is asked again after 10 min")
  void mayNotWatch() {
    server.faults().refuseReads("watch=true", 403, "deployments is forbidden: cannot watch");
    deployment("town", "a", "True");
    await()
        .until(() -> {
          assertThat(round()).containsExactly("town/a");
          return objects.watches() == 0;
        });
    int watches = server.watchRequests().size();
    round();
    assertThat(server.watchRequests()).hasSize(watches);
    server.faults().refuseReads(null, 0, "");
    time.advance(ClusterObjects.HOPELESS);
    round();
    awaitFollowed();
  }

  @Test
  @DisplayName("CH-51 more objects than there is room for are listed in each round, none is lost")
  void noRoom() {
    objects.close();
    objects = new ClusterObjects(client, time.clock(), new Random(1), 2);
    deployment("town", "a", "True");
    deployment("town", "b", "True");
    round();
    awaitFollowed();
    deployment("town", "c", "True");
    await().untilAsserted(() -> assertThat(round()).containsExactly("town/a", "town/b", "town/c"));
    assertThat(isFollowed()).isFalse();
    assertThat(round()).containsExactly("town/a", "town/b", "town/c");
  }

  @Test
  @DisplayName("CH-51 selections beyond the most watches are listed, and what nobody asks for ends")
  void watches() {
    List<String> namespaces = new ArrayList<>();
    for (int i = 0; i < ClusterObjects.MAX_WATCHES + 3; i++) {
      deployment("town-" + i, "a", "True");
      namespaces.add("town-" + i);
    }
    List<String> seen = new ArrayList<>();
    objects.each(
        Deployment.class, namespaces, LabelSelector.EVERYTHING, one -> seen.add(one.namespace()));
    objects.roundEnded();
    assertThat(seen).isEqualTo(namespaces);
    await().until(() -> server.openWatches() == ClusterObjects.MAX_WATCHES);
    objects.roundEnded();
    await()
        .until(() -> {
          server.bookmark(); // which shows the server who is gone
          return server.openWatches() == 0;
        });
  }

  @Test
  @DisplayName("CH-51 a watch is of what the selector says")
  void selector() {
    deployment("town", "a", "True");
    LabelSelector none = new LabelSelector(Map.of("app", "other"), List.of());
    for (int i = 0; i < 3; i++) {
      objects.each(
          Deployment.class,
          List.of("town"),
          none,
          one -> {
            throw new AssertionError(one.toString());
          });
    }
    await().until(() -> server.openWatches() == 1);
    assertThat(server.watchRequests().getFirst().query())
        .containsEntry("labelSelector", "app=other");
    assertThat(server.watchRequests().getFirst().path())
        .isEqualTo("/apis/apps/v1/namespaces/town/deployments");
    List<String> nodes = new ArrayList<>();
    objects.each(Node.class, List.of(), LabelSelector.EVERYTHING, node -> nodes.add(node.name()));
    assertThat(nodes).isEmpty();
    await()
        .until(() ->
            server.watchRequests().stream().anyMatch(one -> one.path().equals("/api/v1/nodes")));
  }

  @Test
  @DisplayName("CH-51 a long message is kept in part, a rollout takes as long as is said later")
  void verdicts() {
    Deployment bad =
        new DeploymentBuilder(parsed("town", "a", "False"))
            .editStatus()
            .editFirstCondition()
            .withMessage("x".repeat(100_000))
            .endCondition()
            .endStatus()
            .build();
    assertThat(((Unhealthy) ObjectVerdict.of(bad).health()).detail())
        .hasSize(ObjectVerdict.MAX_DETAIL)
        .endsWith("x…");
    ObjectVerdict rolling = ObjectVerdict.of(parsed("town", "b", "True"));
    assertThat(rolling.health()).isInstanceOf(Healthy.class);
    assertThat(rolling.withRollout(Duration.ofMinutes(3)))
        .isInstanceOfSatisfying(
            Progressing.class,
            slow -> assertThat(slow.threshold()).isEqualTo(Duration.ofMinutes(3)));
    assertThat(ObjectVerdict.of(bad).withRollout(Duration.ofMinutes(3)))
        .isInstanceOf(Unhealthy.class);
  }

  /** What a round is told, with what is wrong. */
  @Test
  @DisplayName("CH-51 an object that is too large is not healthy, and hides no other")
  void large() {
    String filler = "\"filler\": [0" + ", 0".repeat(30_000) + "], ";
    String large = json("town", "a", "True");
    server.put(large.replace("\"replicas\"", filler + "\"replicas\""));
    deployment("town", "b", "True");
    String pods =
        large.replace("\"a\"", "\"c\"").replace("\"name\": \"c\"}]", filler + "\"name\": \"c\"}]");
    server.put(pods);
    assertThat(round()).as("listed").containsExactly("town/a bad", "town/b", "town/c");
    awaitFollowed();
    assertThat(round()).as("followed").containsExactly("town/a bad", "town/b", "town/c");
  }

  private List<String> round() {
    List<String> told = new ArrayList<>();
    objects.each(
        Deployment.class,
        List.of(),
        LabelSelector.EVERYTHING,
        one ->
            told.add(
                one.namespace()
                    + "/"
                    + one.name()
                    + (one.health() instanceof Healthy ? "" : " bad")));
    objects.roundEnded();
    return told;
  }

  private boolean isFollowed() {
    int before = server.lists().size();
    round();
    return server.lists().size() == before;
  }

  private void awaitFollowed() {
    await().until(() -> isFollowed() && server.openWatches() > 0);
  }

  private static ConditionFactory await() {
    return Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20));
  }

  private void deployment(String namespace, String name, String available) {
    server.put(json(namespace, name, available));
  }

  private Deployment parsed(String namespace, String name, String available) {
    return client
        .getKubernetesSerialization()
        .unmarshal(json(namespace, name, available), Deployment.class);
  }

  private static String json(String namespace, String name, String available) {
    return """
    {"apiVersion": "apps/v1", "kind": "Deployment",
     "metadata": {"namespace": "%s", "name": "%s", "managedFields": [{"manager": "x"}]},
     "spec": {"replicas": 1, "template": {"spec": {"containers": [{"name": "c"}]}}},
     "status": {"conditions": [{"type": "Available", "status": "%s"}]}}
    """
        .formatted(namespace, name, available);
  }
}
