package io.probelet.fleet;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.ManualClock;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import java.io.IOException;
import java.time.Duration;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A cluster read from the tests' API server. */
@Timeout(120)
class FleetReaderTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String FORBIDDEN = "User \"u\" cannot list resource";

  private FakeApiServer server;
  private FleetReader reader;

  @BeforeEach
  void start() throws IOException {
    server = new FakeApiServer();
    server.serve("probelet.io/v1alpha1", "DrainRemediation", "RebootRemediation");
    for (int i = 0; i < 4; i++) {
      server.put(FleetFixture.nodeYaml("healthy-" + i, "True", Duration.ofDays(1)));
    }
    server.put(FleetFixture.nodeYaml("bad-1", "Unknown", Duration.ofMinutes(30)));
    server.put(FleetFixture.checkYaml("", "{}"));
  }

  @AfterEach
  void close() {
    if (reader != null) {
      reader.close();
    }
    server.close();
  }

  private FleetView read() throws InterruptedException {
    reader =
        new FleetReader(
            ApiServer.of(server.client(), Duration.ofSeconds(10)),
            server.url(),
            "probelet-system",
            new ManualClock(FleetFixture.NOW),
            new Random(1));
    assertThat(reader.awaitRead(LIMIT)).isTrue();
    return reader.view();
  }

  private void lead(String answer) throws IOException {
    server.put(
        """
        apiVersion: coordination.k8s.io/v1
        kind: Lease
        metadata: {name: probelet-remediation, namespace: probelet-system}
        spec: {holderIdentity: c-0_0dedd126, leaseDurationSeconds: 15, renewTime: "%s"}
        """
            .formatted(FleetFixture.NOW.minusSeconds(2)));
    ObjectNode pod = (ObjectNode) new ObjectMapper().readTree(answer);
    pod.put("apiVersion", "v1").put("kind", "Pod");
    pod.putObject("metadata").put("name", "c-0:20258").put("namespace", "probelet-system");
    server.put(pod);
  }

  @Test
  @DisplayName("Nodes, what is being done and its events, and then each change of them")
  void follows() throws Exception {
    server.put(
        FleetFixture.remediationYaml(
            "DrainRemediation", "bad-1", Duration.ofMinutes(2), "{phase: Draining}"));
    server.put(
        """
        kind: Event
        metadata: {name: e, namespace: default}
        involvedObject: {kind: Node, name: bad-1}
        type: Warning
        reason: NodeNotReady
        message: gone
        lastTimestamp: "2026-11-22T11:30:00Z"
        """);
    FleetView view = read();
    assertThat(view.gaps()).isEmpty();
    assertThat(view.nodes()).hasSize(5);
    assertThat(view.node("bad-1").orElseThrow().state()).isEqualTo(FleetNode.State.REMEDIATING);
    assertThat(view.remediationsOf("bad-1"))
        .extracting(FleetRemediation::phase)
        .containsExactly("Draining");
    assertThat(view.eventsOf("bad-1"))
        .extracting(FleetEvent::reason, FleetEvent::warning)
        .containsExactly(tuple("NodeNotReady", true));
    long before = reader.version();
    server.delete("/apis/probelet.io/v1alpha1/namespaces/probelet-system/drainremediations/bad-1");
    server.put(FleetFixture.nodeYaml("bad-1", "True", Duration.ofMinutes(1)));
    await().untilAsserted(() -> assertThat(reader.view().remediations()).isEmpty());
    await()
        .untilAsserted(() -> assertThat(reader.view().verdict()).isEqualTo(FleetView.Verdict.WELL));
    assertThat(reader.version()).isGreaterThan(before);
    assertThat(reader.check("workers")).isPresent();
    assertThat(reader.nodeFacts()).hasSize(5);
  }

  @Test
  @DisplayName("MW-2 a node in maintenance waits until its end, and no remediation is planned")
  void showsMaintenance() throws Exception {
    server.serve("probelet.io/v1alpha1", "DrainRemediation", "RebootRemediation", "Maintenance");
    server.put(
        """
        apiVersion: probelet.io/v1alpha1
        kind: Maintenance
        metadata: {name: rack-7}
        spec: {start: "%s", duration: 2h, nodeSelector: {}, reason: CHG-1}
        """
            .formatted(FleetFixture.NOW.minusSeconds(3600)));
    FleetView view = read();
    assertThat(view.gaps()).isEmpty();
    assertThat(view.waits())
        .filteredOn(wait -> wait.node().equals("bad-1"))
        .singleElement()
        .satisfies(wait -> {
          assertThat(wait.reason()).isEqualTo("InMaintenance");
          assertThat(wait.until()).isEqualTo(FleetFixture.NOW.plusSeconds(3600));
        });
    assertThat(view.node("bad-1").orElseThrow().state()).isEqualTo(FleetNode.State.WAITING);
  }

  /** Attack: a status that names many kinds keeps others from being read. */
  @Test
  void namesThatThereAreMoreKindsThanAreFollowed() throws Exception {
    String remediations =
        IntStream.range(0, 40)
            .mapToObj(i ->
                "{resource: {apiVersion: example.io/v1, kind: K%d, name: a}, started: '2026-11-22T11:00:00Z'}"
                    .formatted(i))
            .collect(joining(", "));
    server.put(
        FleetFixture.checkYaml(
            "", "{unhealthyNodes: [{name: bad-1, remediations: [" + remediations + "]}]}"));

    assertThat(read().gaps())
        .contains(
            new FleetGap(
                "Remediations",
                FleetGap.Kind.TOO_MANY,
                "NodeHealthChecks name more than 32 kinds of remediations",
                true));
  }

  /** Attack: the 65th condition of a node is the one that reports a problem. */
  @Test
  void showsBadConditionsOfManyFirst() throws Exception {
    String conditions =
        IntStream.range(0, 100)
            .mapToObj(i -> "{type: C%d, status: '%s'}".formatted(i, i == 99 ? "True" : "False"))
            .collect(joining(", "));
    server.put(
        """
        apiVersion: v1
        kind: Node
        metadata: {name: many, uid: u-many, labels: {role: other}}
        status: {conditions: [%s, {type: Ready, status: "False"}]}
        """
            .formatted(conditions));

    FleetNode node = read().node("many").orElseThrow();
    assertThat(node.conditions())
        .hasSize(64)
        .extracting(FleetCondition::type)
        .startsWith("C99", "Ready");
    assertThat(node.state()).isNotEqualTo(FleetNode.State.HEALTHY);
  }

  /** Attack: a tenant writes news about a node into its own namespace. */
  @Test
  void readsEventsAboutNodesFromDefaultOnly() throws Exception {
    for (String namespace : new String[] {"default", "tenant"}) {
      server.put(
          """
          kind: Event
          metadata: {name: e, namespace: %1$s}
          involvedObject: {kind: Node, name: bad-1, namespace: %1$s}
          type: Warning
          reason: From-%1$s
          reportingComponent: kubelet
          """
              .formatted(namespace));
      server.put(
          """
          kind: Event
          metadata: {name: f, namespace: %1$s}
          involvedObject: {kind: NodeHealthCheck, name: workers, namespace: %1$s}
          type: Warning
          reason: Check-%1$s
          """
              .formatted(namespace));
    }

    assertThat(read().events())
        .extracting(FleetEvent::reason, FleetEvent::known)
        .containsExactlyInAnyOrder(tuple("From-default", false), tuple("Check-default", false));
  }

  @Test
  @DisplayName("What must not be read is named with the right it takes, and is not shown as fine")
  void forbidden() throws Exception {
    server.faults().refuseReads("remediationpolicies", 403, FORBIDDEN);
    FleetView view = read();
    assertThat(view.gaps())
        .containsExactly(
            new FleetGap(
                "RemediationPolicies",
                FleetGap.Kind.FORBIDDEN,
                "requires permission: list and watch remediationpolicies.probelet.io; list was"
                    + " denied",
                true));
    server.put(FleetFixture.nodeYaml("bad-1", "True", Duration.ofMinutes(1)));
    await()
        .untilAsserted(
            () -> assertThat(reader.view().verdict()).isEqualTo(FleetView.Verdict.UNKNOWN));
  }

  @Test
  @DisplayName("Kinds that are not installed are no gap")
  void absent() throws Exception {
    server.faults().refuseReads("nodehealthchecks", 404, "not found");
    FleetView view = read();
    assertThat(view.gaps()).isEmpty();
    assertThat(view.absent()).containsExactly("NodeHealthChecks");
    assertThat(view.waitsOf("bad-1"))
        .extracting(FleetWait::why)
        .containsExactly("NodeHealthChecks are not installed, so it is not remediated");
  }

  @Test
  @DisplayName("Where everything is 404 nothing is well: it is no API server")
  void noApiServer() throws Exception {
    server.faults().refuseReads("/", 404, "not found");
    FleetView view = read();
    assertThat(view.verdict()).isEqualTo(FleetView.Verdict.UNKNOWN);
    assertThat(view.gaps()).extracting(FleetGap::what).contains("Nodes");
    assertThat(view.absent()).doesNotContain("Nodes", "Leases of nodes", "Events of nodes");
  }

  @Test
  @DisplayName("The leader is asked through the proxy why a node waits")
  void leader() throws Exception {
    lead(
        """
        {"leading": true, "nodeHealthChecks": [{"name": "workers", "unhealthyNodes": [
          {"name": "bad-1", "remediations": [], "heldBack": "ControlPlaneBusy", "why": "control-plane node n2 is being remediated"}]}],
         "kinds": [], "remediations": []}
        """);
    FleetView view = read();
    assertThat(view.gaps()).isEmpty();
    assertThat(view.leaders())
        .extracting(FleetLeader::holder, FleetLeader::leading)
        .containsExactly(tuple("c-0_0dedd126", true));
    assertThat(view.waitsOf("bad-1"))
        .extracting(FleetWait::why, FleetWait::source)
        .containsExactly(
            tuple("Control-plane node n2 is being remediated", FleetWait.Source.LEADER));
  }

  @Test
  @DisplayName("Without permission to ask the leader, reasons are computed here")
  void leaderForbidden() throws Exception {
    lead("{}");
    server.faults().refuseReads("/proxy", 403, FORBIDDEN);
    FleetView view = read();
    assertThat(view.gaps())
        .extracting(FleetGap::what, FleetGap::why, FleetGap::essential)
        .containsExactly(
            tuple(
                "Decisions of the leader",
                "requires permission: get pods/proxy in namespace probelet-system;"
                    + " reasons are computed here instead",
                false));
  }

  @Test
  @DisplayName("A broken watch is a gap until it is back")
  void broken() throws Exception {
    read();
    server.faults().away(true);
    server.cut();
    await()
        .atMost(LIMIT)
        .untilAsserted(() ->
            assertThat(reader.view().gaps())
                .extracting(FleetGap::what, FleetGap::kind)
                .contains(tuple("Nodes", FleetGap.Kind.UNREACHABLE)));
    server.faults().away(false);
    await().atMost(LIMIT).untilAsserted(() -> assertThat(reader.view().gaps()).isEmpty());
  }
}
