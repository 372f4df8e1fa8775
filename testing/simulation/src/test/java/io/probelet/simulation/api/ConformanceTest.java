package io.probelet.simulation.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiServer;
import io.probelet.simulation.api.SimulatedApiServer.Reply;
import io.probelet.simulation.kernel.Machine;
import io.probelet.simulation.kernel.SimulatedProcess;
import io.probelet.simulation.kernel.Simulation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same requests get the same answers of the simulated and of the real API server. */
@Timeout(300)
class ConformanceTest {
  private static final String PODS = "/api/v1/namespaces/default/pods";
  private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  private static final String ORDERS = "/apis/probelet.io/v1alpha1/namespaces/default/nodeorders";
  private static final String CHECKS = "/apis/remediation.medik8s.io/v1alpha1/nodehealthchecks";

  static List<Conversation> conversations() {
    return List.of(
        new Conversation(
            "create, read, delete",
            """
            POST /api/v1/nodes {metadata: {name: n1}} -> 201 /kind=Node /metadata/generation=-
            POST /api/v1/nodes {metadata: {name: n1}} -> 409 AlreadyExists
            GET /api/v1/nodes/n1 -> 200 /metadata/uid=@1/metadata/uid
            GET /api/v1/nodes/missing -> 404 NotFound
            POST /api/v1/nodes {metadata: {name: UPPER}} -> 422 Invalid
            POST /api/v1/nodes {metadata: {}} -> 422 Invalid
            POST /api/v1/nodes {kind: Pod, apiVersion: v1, metadata: {name: n2}} -> 400 BadRequest
            DELETE /api/v1/nodes/n1 -> 200 /status=Success /details/uid=@1/metadata/uid
            DELETE /api/v1/nodes/n1 -> 404 NotFound
            GET /apis/unknown.example/v1 -> 404
            """),
        new Conversation(
            "optimistic locking",
            """
            POST /api/v1/nodes {metadata: {name: n3}} -> 201
            MERGE /api/v1/nodes/n3 {metadata: {labels: {a: b}, resourceVersion: "@1/metadata/resourceVersion"}} -> 200 /metadata/labels/a=b
            MERGE /api/v1/nodes/n3 {metadata: {labels: {a: c}, resourceVersion: "@1/metadata/resourceVersion"}} -> 409 Conflict
            MERGE /api/v1/nodes/n3 {metadata: {labels: {a: b}}} -> 200 /metadata/resourceVersion=@2/metadata/resourceVersion
            MERGE /api/v1/nodes/n3 {metadata: {uid: other}} -> 422 Invalid
            PUT /api/v1/nodes/n3 {metadata: {name: n3, resourceVersion: "@1/metadata/resourceVersion"}} -> 409 Conflict
            PUT /api/v1/nodes/n3 {metadata: {name: n3, uid: other}} -> 409 Conflict
            PUT /api/v1/nodes/n3 {metadata: {name: n3}} -> 200 /metadata/labels=-
            JSON /api/v1/nodes/n3 [{op: test, path: /metadata/uid, value: other}] -> 422 Invalid
            JSON /api/v1/nodes/n3 [{op: test, path: /metadata/uid, value: "@1/metadata/uid"}, {op: add, path: /metadata/annotations, value: {x: y}}] -> 200 /metadata/annotations/x=y
            JSON /api/v1/nodes/n3 [{op: remove, path: /metadata/annotations/none}] -> 422
            JSON /api/v1/nodes/n3 [{op: replace, path: /metadata/resourceVersion, value: "1"}] -> 409 Conflict
            DELETE /api/v1/nodes/n3 {preconditions: {uid: other}} -> 409 Conflict
            DELETE /api/v1/nodes/n3 {preconditions: {resourceVersion: "1"}} -> 409 Conflict
            """),
        new Conversation(
            "status of a node and its taints",
            """
            POST /api/v1/nodes {metadata: {name: n4}, status: {conditions: [{type: Ready, status: "True"}]}} -> 201 /status/conditions/0/type=Ready
            STRATEGIC /api/v1/nodes/n4/status {status: {conditions: [{type: Disk, status: "True", reason: Full}]}} -> 200 /status/conditions/0/type=Disk /status/conditions/1/type=Ready
            STRATEGIC /api/v1/nodes/n4/status {status: {conditions: [{type: Disk, status: "False"}]}} -> 200 /status/conditions/0/status=False /status/conditions/0/reason=Full
            STRATEGIC /api/v1/nodes/n4/status {status: {conditions: [{type: Disk, $patch: delete}]}} -> 200 /status/conditions/1=-
            STRATEGIC /api/v1/nodes/n4/status {spec: {unschedulable: true}} -> 200 /spec/unschedulable=-
            MERGE /api/v1/nodes/n4/status {metadata: {labels: {via: status}}} -> 200 /metadata/labels/via=status
            MERGE /api/v1/nodes/n4 {status: {phase: X}, spec: {unschedulable: true}} -> 200 /status/phase=- /spec/unschedulable=true
            MERGE /api/v1/nodes/n4 {spec: {unschedulable: null}} -> 200 /spec/unschedulable=-
            MERGE /api/v1/nodes/n4 {spec: {taints: [{key: a, effect: NoSchedule}]}} -> 200 /spec/taints/0/key=a
            STRATEGIC /api/v1/nodes/n4 {spec: {taints: [{key: b, effect: NoSchedule}]}} -> 200 /spec/taints/0/key=b /spec/taints/1=-
            JSON /api/v1/nodes/n4 [{op: add, path: /spec/taints/-, value: {key: c, effect: NoExecute}}] -> 200 /spec/taints/1/key=c
            MERGE /api/v1/nodes/n4 {spec: {taints: []}} -> 200 /spec/taints=-
            """),
        new Conversation(
            "finalizers hold a deleted object",
            """
            POST /api/v1/nodes {metadata: {name: n5, finalizers: [example.io/a]}} -> 201
            DELETE /api/v1/nodes/n5 -> 200 /kind=Node /metadata/deletionGracePeriodSeconds=0
            MERGE /api/v1/nodes/n5 {metadata: {finalizers: [example.io/a, example.io/b]}} -> 422 Invalid
            DELETE /api/v1/nodes/n5 -> 200 /metadata/deletionTimestamp=@2/metadata/deletionTimestamp
            MERGE /api/v1/nodes/n5 {metadata: {finalizers: null}} -> 200
            GET /api/v1/nodes/n5 -> 404 NotFound
            """),
        new Conversation(
            "leases",
            """
            PUT %1$s/l1 {metadata: {name: l1}, spec: {holderIdentity: a}} -> 201
            PUT %1$s/l1 {metadata: {name: l1}, spec: {holderIdentity: b}} -> 422 Invalid
            PUT %1$s/l1 {metadata: {name: l1, resourceVersion: "@1/metadata/resourceVersion"}, spec: {holderIdentity: b}} -> 200 /spec/holderIdentity=b
            PUT %1$s/l1 {metadata: {name: l1, resourceVersion: "@1/metadata/resourceVersion"}, spec: {holderIdentity: c}} -> 409 Conflict
            DELETE %1$s/l1 -> 200
            PUT %1$s/l1 {metadata: {name: l1, resourceVersion: "@1/metadata/resourceVersion"}, spec: {holderIdentity: c}} -> 201 /metadata/uid!=@1/metadata/uid
            APPLY %1$s/l2 {apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: l2}, spec: {holderIdentity: a}} -> 201
            APPLY %1$s/l2 {apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: l2}, spec: {holderIdentity: a}} -> 200 /metadata/resourceVersion=@7/metadata/resourceVersion
            APPLY %1$s/l2 {apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: l2}, spec: {holderIdentity: b, leaseDurationSeconds: 5}} -> 200 /spec/leaseDurationSeconds=5
            APPLY %1$s/l2 {apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: l2}, spec: {holderIdentity: b}} -> 200 /spec/leaseDurationSeconds=-
            POST /apis/coordination.k8s.io/v1/namespaces/none/leases {metadata: {name: l3}} -> 404 NotFound
            """
                .formatted(LEASES)),
        new Conversation(
            "pods end gracefully",
            """
            POST %1$s {metadata: {name: p1}, spec: {nodeName: n, terminationGracePeriodSeconds: 20, containers: [{name: c, image: i}]}, status: {phase: Running}} -> 201 /status/phase=Pending /metadata/generation=1
            DELETE %1$s/p1 -> 200 /metadata/deletionGracePeriodSeconds=20 /metadata/generation=2
            DELETE %1$s/p1 -> 200 /metadata/deletionTimestamp=@2/metadata/deletionTimestamp
            DELETE %1$s/p1 {gracePeriodSeconds: 5} -> 200 /metadata/deletionGracePeriodSeconds=5
            DELETE %1$s/p1 {gracePeriodSeconds: 0, preconditions: {uid: other}} -> 409 Conflict
            DELETE %1$s/p1 {gracePeriodSeconds: 0} -> 200 /kind=Pod
            GET %1$s/p1 -> 404 NotFound
            POST %1$s {metadata: {name: p2}, spec: {containers: [{name: c, image: i}]}} -> 201
            DELETE %1$s/p2 -> 200
            GET %1$s/p2 -> 404 NotFound
            """
                .formatted(PODS)),
        new Conversation(
            "conditions of a pod by apply",
            """
            POST %1$s {metadata: {name: p3}, spec: {nodeName: n, containers: [{name: c, image: i}]}} -> 201
            STRATEGIC %1$s/p3/status {status: {phase: Running, conditions: [{type: Ready, status: "True"}]}} -> 200 /status/phase=Running
            APPLY %1$s/p3/status {apiVersion: v1, kind: Pod, metadata: {name: p3, uid: "@1/metadata/uid"}, status: {conditions: [{type: probelet.io/ready, status: "False"}]}} -> 200 /status/conditions/0/type=Ready /status/conditions/1/status=False
            APPLY %1$s/p3/status {apiVersion: v1, kind: Pod, metadata: {name: p3, uid: other}, status: {conditions: [{type: probelet.io/ready, status: "True"}]}} -> 422 Invalid
            APPLY %1$s/missing/status {apiVersion: v1, kind: Pod, metadata: {name: missing}, status: {phase: X}} -> 404 NotFound
            """
                .formatted(PODS)),
        new Conversation(
            "evictions and budgets",
            """
            POST %1$s {metadata: {name: p4, labels: {app: e}}, spec: {nodeName: n, containers: [{name: c, image: i}]}} -> 201
            STRATEGIC %1$s/p4/status {status: {phase: Running, conditions: [{type: Ready, status: "True"}]}} -> 200
            POST /apis/policy/v1/namespaces/default/poddisruptionbudgets {metadata: {name: b}, spec: {minAvailable: 1, selector: {matchLabels: {app: e}}}} -> 201
            POST %1$s/p4/eviction {apiVersion: policy/v1, kind: Eviction, metadata: {name: p4, namespace: default}, deleteOptions: {preconditions: {uid: other}}} -> 429 TooManyRequests
            MERGE /apis/policy/v1/namespaces/default/poddisruptionbudgets/b/status {status: {observedGeneration: 1, desiredHealthy: 1, currentHealthy: 1, expectedPods: 1, disruptionsAllowed: 0}} -> 200
            POST %1$s/p4/eviction {apiVersion: policy/v1, kind: Eviction, metadata: {name: p4, namespace: default}} -> 429 TooManyRequests /details/causes/0/reason=DisruptionBudget
            MERGE /apis/policy/v1/namespaces/default/poddisruptionbudgets/b/status {status: {observedGeneration: 1, desiredHealthy: 1, currentHealthy: 2, expectedPods: 2, disruptionsAllowed: 1}} -> 200
            POST %1$s/p4/eviction {apiVersion: policy/v1, kind: Eviction, metadata: {name: p4, namespace: default}} -> 201 /status=Success
            GET %1$s/p4 -> 200 /metadata/deletionGracePeriodSeconds=30
            GET /apis/policy/v1/namespaces/default/poddisruptionbudgets/b -> 200 /status/disruptionsAllowed=0
            POST %1$s/missing/eviction {apiVersion: policy/v1, kind: Eviction, metadata: {name: missing, namespace: default}} -> 404 NotFound
            DELETE /apis/policy/v1/namespaces/default/poddisruptionbudgets/b -> 200
            """
                .formatted(PODS)),
        new Conversation(
            "custom resources",
            """
            POST %1$s {apiVersion: probelet.io/v1alpha1, kind: NodeOrder, metadata: {name: o1}, spec: {unknown: 1}} -> 422 Invalid
            POST %2$s {apiVersion: remediation.medik8s.io/v1alpha1, kind: NodeHealthCheck, metadata: {name: c1}, spec: {selector: {}, minHealthy: 51%%, remediationTemplate: {apiVersion: probelet.io/v1alpha1, kind: RebootRemediationTemplate, namespace: default, name: t}, unknown: 1}, status: {phase: X}} -> 201 /spec/unknown=- /status=- /metadata/generation=1
            MERGE %2$s/c1/status {metadata: {labels: {a: b}}, spec: {minHealthy: 1}, status: {phase: Enabled}} -> 200 /status/phase=Enabled /metadata/labels=- /metadata/generation=1
            MERGE %2$s/c1 {spec: {minHealthy: 10%%}, status: {phase: Paused}} -> 200 /status/phase=Enabled /spec/minHealthy=10%% /metadata/generation=2
            MERGE %2$s/c1 {metadata: {finalizers: [example.io/x]}} -> 200 /metadata/generation=2
            STRATEGIC %2$s/c1 {spec: {minHealthy: 1}} -> 415
            PUT %2$s/c1 {apiVersion: remediation.medik8s.io/v1alpha1, kind: NodeHealthCheck, metadata: {name: c1}, spec: {selector: {}}} -> 422 Invalid
            MERGE %2$s/c1 {metadata: {uid: other}} -> 422 Invalid
            DELETE %2$s/c1 -> 200 /kind=NodeHealthCheck /metadata/generation=3
            MERGE %2$s/c1 {metadata: {finalizers: []}} -> 200
            GET %2$s/c1 -> 404 NotFound
            PUT %2$s/c1 {apiVersion: remediation.medik8s.io/v1alpha1, kind: NodeHealthCheck, metadata: {name: c1}, spec: {selector: {}}} -> 404 NotFound
            """
                .formatted(ORDERS, CHECKS)),
        new Conversation(
            "the status of a custom resource by apply",
            """
            POST %1$s {apiVersion: probelet.io/v1alpha1, kind: ClusterHealth, metadata: {name: cluster}, spec: {}} -> 201
            APPLY %1$s/cluster/status {apiVersion: probelet.io/v1alpha1, kind: ClusterHealth, metadata: {name: cluster, resourceVersion: "@1/metadata/resourceVersion"}, status: {health: healthy, conditions: [{type: A, status: "True"}, {type: B, status: "True", reason: R}], checkedConditions: [A, B]}} -> 200 /status/conditions/1/type=B
            APPLY %1$s/cluster/status {apiVersion: probelet.io/v1alpha1, kind: ClusterHealth, metadata: {name: cluster, resourceVersion: "@1/metadata/resourceVersion"}, status: {health: healthy}} -> 409 Conflict
            MERGE %1$s/cluster/status {status: {conditions: [{type: A, status: "True"}, {type: B, status: "True", reason: R}, {type: C, status: "True"}]}} -> 200 /status/conditions/2/type=C
            APPLY %1$s/cluster/status {apiVersion: probelet.io/v1alpha1, kind: ClusterHealth, metadata: {name: cluster}, status: {health: unhealthy, conditions: [{type: A, status: "False"}], checkedConditions: [A]}} -> 200 /status/conditions/0/status=False /status/conditions/1/type=C /status/conditions/2=- /status/checkedConditions/1=- /status/health=unhealthy
            APPLY %1$s/cluster/status {apiVersion: probelet.io/v1alpha1, kind: ClusterHealth, metadata: {name: cluster}, status: {health: unhealthy, conditions: [{type: A, status: Wrong}]}} -> 422 Invalid
            MERGE %1$s/cluster {metadata: {labels: {health: bad}}} -> 200 /metadata/labels/health=bad /status/health=unhealthy /metadata/generation=1
            """
                .formatted("/apis/probelet.io/v1alpha1/clusterhealths")),
        new Conversation(
            "lists and selectors",
            """
            POST %1$s {metadata: {name: s1, labels: {app: s, tier: a}}, spec: {nodeName: s, containers: [{name: c, image: i}]}} -> 201
            POST %1$s {metadata: {name: s2, labels: {app: s}}, spec: {nodeName: s, containers: [{name: c, image: i}]}} -> 201
            POST %1$s {metadata: {name: s3, labels: {app: s}}, spec: {nodeName: t, containers: [{name: c, image: i}]}} -> 201
            GET %1$s?labelSelector=app%%3Ds&limit=2 -> 200 /items/1/metadata/name=s2 /items/0/kind=- /kind=PodList /metadata/remainingItemCount=-
            GET %1$s?labelSelector=app%%3Ds&limit=2&continue=@4/metadata/continue -> 200 /items/0/metadata/name=s3 /metadata/continue=- /metadata/resourceVersion=@4/metadata/resourceVersion
            GET /api/v1/pods?fieldSelector=spec.nodeName%%3Ds -> 200 /items/1/metadata/name=s2 /items/2=-
            GET /api/v1/pods?fieldSelector=spec.nodeName!%%3Ds,metadata.name%%3Ds3 -> 200 /items/0/metadata/name=s3 /items/1=-
            GET /api/v1/pods?fieldSelector=spec.unknown%%3Ds -> 400 BadRequest
            GET %1$s?labelSelector=app%%20in%%20(s,t),!tier -> 200 /items/1/metadata/name=s3 /items/2=-
            GET %1$s?labelSelector=app%%3Ds,tier%%20notin%%20(a) -> 200 /items/1/metadata/name=s3 /items/2=-
            GET %1$s?limit=2&continue=nonsense -> 400 BadRequest
            """
                .formatted(PODS)),
        new Conversation(
            "watches",
            """
            POST %1$s {metadata: {name: w1, labels: {app: w}}, spec: {containers: [{name: c, image: i}]}} -> 201
            POST %1$s {metadata: {name: w2, labels: {app: w}}, spec: {containers: [{name: c, image: i}]}} -> 201
            MERGE %1$s/w1 {metadata: {labels: {app: v}}} -> 200
            MERGE %1$s/w1 {metadata: {labels: {app: w}}} -> 200
            MERGE %1$s/w1 {metadata: {labels: {more: x}}} -> 200
            DELETE %1$s/w2 -> 200
            GET %1$s?watch=1&timeoutSeconds=1&labelSelector=app%%3Dw&resourceVersion=@1/metadata/resourceVersion -> 200 /events=ADDED:w2,DELETED:w1,ADDED:w1,MODIFIED:w1,MODIFIED:w2,DELETED:w2
            GET %1$s?watch=1&timeoutSeconds=1&fieldSelector=metadata.name%%3Dw1&resourceVersion=@4/metadata/resourceVersion -> 200 /events=MODIFIED:w1
            GET %1$s?watch=1&timeoutSeconds=1&labelSelector=app%%3Dw -> 200 /events=ADDED:w1
            GET %1$s?watch=1&timeoutSeconds=1&labelSelector=app%%3Dw&resourceVersion=0 -> 200 /events=ADDED:w1
            GET /apis/probelet.io/v1alpha1/nodeorders?watch=1&timeoutSeconds=1&resourceVersion=1 -> 200 /events=ERROR:Expired
            POST %1$s {metadata: {name: w3}, spec: {nodeName: n, containers: [{name: c, image: i}]}} -> 201
            DELETE %1$s/w3 -> 200
            DELETE %1$s/w3 {gracePeriodSeconds: 0} -> 200
            GET %1$s?watch=1&timeoutSeconds=1&resourceVersion=@12/metadata/resourceVersion -> 200 /events=MODIFIED:w3,MODIFIED:w3,DELETED:w3
            POST %1$s {metadata: {name: w4, finalizers: [example.io/f]}, spec: {nodeName: n, containers: [{name: c, image: i}]}} -> 201
            DELETE %1$s/w4 {gracePeriodSeconds: 0} -> 200 /metadata/deletionGracePeriodSeconds=0
            MERGE %1$s/w4 {metadata: {finalizers: null}} -> 200
            GET %1$s?watch=1&timeoutSeconds=1&resourceVersion=@16/metadata/resourceVersion -> 200 /events=MODIFIED:w4,DELETED:w4
            """
                .formatted(PODS)),
        new Conversation(
            "events",
            """
            POST /api/v1/namespaces/default/events {metadata: {name: e1}, involvedObject: {kind: Node, name: n}, reason: R, count: 1} -> 201
            MERGE /api/v1/namespaces/default/events/e1 {} -> 200 /metadata/resourceVersion=@1/metadata/resourceVersion
            MERGE /api/v1/namespaces/default/events/e1 {count: 2} -> 200 /count=2
            POST /api/v1/namespaces/default/events {metadata: {name: e2}, involvedObject: {kind: Pod, namespace: other, name: n}, reason: R} -> 422 Invalid
            POST /api/v1/namespaces/none/events {metadata: {name: e3}, involvedObject: {kind: Pod, namespace: none, name: n}, reason: R} -> 404 NotFound
            """),
        new Conversation(
            "access reviews and discovery",
            """
            POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews {apiVersion: authorization.k8s.io/v1, kind: SelfSubjectAccessReview, spec: {resourceAttributes: {verb: list, resource: nodes}}} -> 201 /status/allowed=true
            GET /apis/probelet.io/v1alpha1 -> 200 /kind=APIResourceList /groupVersion=probelet.io/v1alpha1
            GET /apis/probelet.io/v1alpha1/namespaces/default/unknowns -> 404
            GET /apis/probelet.io/v1alpha1/nodeorders -> 200 /kind=NodeOrderList
            GET /version -> 200 /major=1
            GET /readyz -> 200
            """));
  }

  @ParameterizedTest
  @DisplayName("the simulated server")
  @MethodSource("conversations")
  void simulated(Conversation conversation) throws IOException {
    Simulation world = new Simulation(1);
    SimulatedApiServer server = new SimulatedApiServer(world);
    server.serveAll();
    conversation.with((method, path, type, body) ->
        path.contains("watch=1")
            ? watch(world, server, path)
            : server.request("test", method, path, type, body));
  }

  /** A watch needs a connection, and time until it ends. */
  private static Reply watch(Simulation world, SimulatedApiServer server, String path) {
    SimulatedProcess process = new SimulatedProcess(new Machine(world, "test"), "test");
    StringBuilder lines = new StringBuilder();
    List<ApiResult> results = new ArrayList<>();
    process.start(
        "test",
        () -> {
          try {
            results.add(
                ApiServer.of(server.access(process).client(), Duration.ofSeconds(5), process)
                    .follow(
                        path,
                        ApiServer.JSON_TYPE,
                        Duration.ofMinutes(1),
                        bytes -> lines.append(StandardCharsets.UTF_8.decode(bytes))));
          } catch (InterruptedException stop) {
            world.failed(stop);
          }
        });
    world.run(Duration.ofSeconds(3));
    assertThat(results).hasExactlyElementsOfTypes(ApiResult.Done.class);
    return new Reply(200, Conversation.events(lines.toString()));
  }

  /** The same against kube-apiserver, where there is one. */
  @Nested
  @Tag("real-api")
  class Real {
    @TempDir private static Path folder;
    private static @Nullable RealApiServer server;

    @BeforeAll
    static void start() throws IOException, GeneralSecurityException {
      String assets = System.getenv("KUBEBUILDER_ASSETS");
      Assumptions.assumeTrue(assets != null, "SKIPPED: KUBEBUILDER_ASSETS is not set");
      server = new RealApiServer(Path.of(assets), folder);
      for (String kind : Definitions.kinds()) {
        server.send(
            "POST", ApiKinds.DEFINITIONS, "application/json", Definitions.of(kind).toString());
      }
      server.awaitServed(ORDERS, CHECKS);
    }

    @AfterAll
    static void stop() {
      if (server != null) {
        server.close();
      }
    }

    static List<Conversation> conversations() {
      return ConformanceTest.conversations();
    }

    @ParameterizedTest
    @DisplayName("the real server")
    @MethodSource("conversations")
    void real(Conversation conversation) throws IOException {
      RealApiServer running = server;
      Assumptions.assumeTrue(running != null);
      conversation.with(running::send);
    }
  }
}
