package io.probelet.controller.restart;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.VirtualTime;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import io.probelet.kube.workload.CounterStore;
import io.probelet.kube.workload.RestartCounter;
import io.probelet.kube.workload.RestartEntries;
import io.probelet.kube.workload.RestartEntries.Entry;
import io.probelet.kube.workload.Workload;
import io.probelet.kube.workload.WorkloadBudget;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the leader does about the leases of restarts, over an API server, in virtual time. */
class CounterRoundsTest {
  private static final String LEASES =
      "/apis/coordination.k8s.io/v1/namespaces/probelet-system/leases";
  private static final Workload WEB =
      Workload.of("shop", "apps/v1", "ReplicaSet", "web", "00000000-0000-4000-8000-000000000001")
          .orElseThrow();

  private final VirtualTime time = new VirtualTime();
  private final AtomicBoolean leads = new AtomicBoolean(true);
  private FakeApiServer server;
  private KubernetesClient client;
  private ApiServer api;
  private RestartEntries agent;
  private CounterRounds rounds;

  @BeforeEach
  void open() throws Exception {
    server = new FakeApiServer();
    client = server.client();
    api = ApiServer.of(client, Duration.ofSeconds(10));
    agent = new RestartEntries(CounterStore.of(api, "probelet-system"), "n1", time.clock());
    replicas(6, "00000000-0000-4000-8000-000000000001");
    rounds =
        new CounterRounds(
            api,
            "probelet-system",
            leads::get,
            time.clock(),
            Duration.ofSeconds(3),
            time.loop("rounds"));
  }

  @AfterEach
  void close() {
    rounds.close();
    client.close();
    server.close();
  }

  private void replicas(int count, String uid) {
    server.put(
        """
        apiVersion: apps/v1
        kind: ReplicaSet
        metadata: {name: web, namespace: shop, uid: %s}
        spec: {replicas: %d}
        """
            .formatted(uid, count));
  }

  private void enters(String pod) {
    assertThat(agent.enter(WEB, pod, 34, true)).isInstanceOf(Entry.In.class);
  }

  private RestartCounter counter() {
    return RestartCounter.read(server.get(LEASES + "/" + WEB.lease()));
  }

  private boolean exists(String name) {
    return !server.get(LEASES + "/" + name).isMissingNode();
  }

  @Test
  @DisplayName("D-12 replicas are written within a round, and again when they have changed")
  void replicas() {
    enters("p1");
    time.advance(Duration.ofSeconds(3));
    assertThat(counter().replicas()).isEqualTo(OptionalInt.of(6));
    assertThat(rounds.count(WorkloadBudget.RESTARTS)).isEqualTo(1);
    assertThat(counter().on("n1")).isEqualTo(List.of("p1"));
    replicas(9, "00000000-0000-4000-8000-000000000001");
    time.advance(Duration.ofSeconds(35));
    assertThat(counter().replicas()).isEqualTo(OptionalInt.of(9));
    int reads = server.requests().size();
    assertThat(agent.leave(WEB, Set.of("p1"))).isEmpty();
    time.advance(Duration.ofMinutes(1));
    assertThat(server.requests().subList(reads, server.requests().size()))
        .as("of a workload of which nothing restarts nobody asks")
        .noneMatch(request -> request.path().contains("replicasets"));
  }

  @Test
  @DisplayName("D-22 the readiness budget gets its replicas too, and counts apart")
  void readiness() {
    RestartEntries unready =
        new RestartEntries(
            CounterStore.of(api, "probelet-system"), "n1", time.clock(), WorkloadBudget.READINESS);
    assertThat(unready.enter(WEB, "p1", 50, false)).isInstanceOf(Entry.In.class);
    assertThat(unready.enter(WEB, "p2", 50, false)).isInstanceOf(Entry.ReplicasUnknown.class);
    time.advance(Duration.ofSeconds(3));
    assertThat(unready.enter(WEB, "p2", 50, false)).isInstanceOf(Entry.In.class);
    time.advance(Duration.ofSeconds(3));
    assertThat(rounds.count(WorkloadBudget.READINESS)).isEqualTo(2);
    assertThat(rounds.count(WorkloadBudget.RESTARTS)).isZero();
    assertThat(exists(WEB.lease())).isFalse();
  }

  @Test
  @DisplayName(
      "D-12 the counter of a workload that is gone, or is another of this name, is deleted")
  void otherWorkload() {
    enters("p1");
    time.advance(Duration.ofSeconds(10));
    assertThat(exists(WEB.lease())).isTrue();
    replicas(6, "00000000-0000-4000-8000-000000000002");
    time.advance(Duration.ofSeconds(40));
    assertThat(exists(WEB.lease())).isFalse();
    enters("p1");
    server.delete("/apis/apps/v1/namespaces/shop/replicasets/web");
    time.advance(Duration.ofSeconds(40));
    assertThat(exists(WEB.lease())).isFalse();
  }

  @Test
  @DisplayName("C2 counters that a stolen token makes for workloads that nobody has are deleted")
  void forged() {
    enters("p1");
    for (int i = 0; i < 300; i++) {
      Workload nobodys =
          Workload.of(
                  "shop",
                  "apps/v1",
                  "ReplicaSet",
                  "x",
                  "10000000-0000-4000-8000-%012d".formatted(i))
              .orElseThrow();
      assertThat(agent.enter(nobodys, "p", 34, true)).isInstanceOf(Entry.In.class);
    }
    time.advance(Duration.ofSeconds(6));
    assertThat(server.list(LEASES))
        .extracting(each -> each.at("/metadata/name").asText())
        .containsExactly(WEB.lease());
  }

  @Test
  @DisplayName("D-12 what nobody has changed for 12 min is removed, an empty lease 10 min later")
  void leftBehind() {
    enters("p1");
    time.advance(Duration.ofMinutes(7));
    enters("p2");
    time.advance(Duration.ofMinutes(11));
    assertThat(counter().count()).as("changed 11 min ago").isEqualTo(2);
    time.clock().stepWallClock(Duration.ofDays(1));
    time.advance(Duration.ofSeconds(30));
    assertThat(counter().count()).as("wall clocks do not matter").isEqualTo(2);
    time.advance(Duration.ofMinutes(1));
    assertThat(counter().count()).isZero();
    assertThat(counter().replicas()).isPresent();
    time.advance(Duration.ofMinutes(9));
    assertThat(exists(WEB.lease())).isTrue();
    time.advance(Duration.ofMinutes(2));
    assertThat(exists(WEB.lease())).isFalse();
  }

  @Test
  @DisplayName(
      "D-12 a lease that is no workload's is deleted, and no other kind of lease is touched")
  void strange() {
    for (String name : List.of("probelet-restarts-0", "probelet-remediation")) {
      server.put(
          """
          apiVersion: coordination.k8s.io/v1
          kind: Lease
          metadata:
            name: %s
            namespace: probelet-system
            labels: {probelet.io/restarts: ""}
            annotations: {restarts.probelet.io/n9: "a", probelet.io/workload: "ReplicaSet/shop/web/00000000-0000-4000-8000-000000000001"}
          """
              .formatted(name));
    }
    time.advance(Duration.ofMinutes(11));
    assertThat(exists("probelet-restarts-0")).isFalse();
    assertThat(exists("probelet-remediation")).isTrue();
  }

  @Test
  @DisplayName("D-12 who leads no more writes nothing")
  void deposed() {
    enters("p1");
    leads.set(false);
    time.advance(Duration.ofMinutes(30));
    assertThat(counter().replicas()).isEmpty();
    assertThat(counter().count()).isEqualTo(1);
    leads.set(true);
    time.advance(Duration.ofSeconds(3));
    assertThat(counter().count()).isZero();
  }
}
