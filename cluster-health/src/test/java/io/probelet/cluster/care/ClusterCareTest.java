package io.probelet.cluster.care;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.APIResourceListBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.ServerRequest;
import io.fabric8.mockwebserver.ServerResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.probelet.checks.result.CheckResult;
import io.probelet.cluster.webhook.WebhookChange;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.health.VirtualTime;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Care for a cluster that fabric8's mock server plays. */
@Timeout(240)
class ClusterCareTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final Map<ServerRequest, Queue<ServerResponse>> expected = new HashMap<>();
  private final KubernetesMockServer server =
      new KubernetesMockServer(
          new Context(), new MockWebServer(), expected, new ApplyingDispatcher(expected), false);
  private KubernetesClient client;
  private final RefreshLoop rounds = new RefreshLoop();
  private Duration step = PERIOD;
  private final VirtualTime time = new VirtualTime();
  private NamedChecks checks = NamedChecks.DEFAULTS;
  private final AtomicBoolean leading = new AtomicBoolean(true);
  private AutoCloseable care = () -> {};
  private int asked;

  /** Counts rounds and keeps what was done to webhooks. */
  private static final class RefreshLoop implements CareListener {
    private final AtomicInteger ended = new AtomicInteger();
    private final List<String> remediated = new CopyOnWriteArrayList<>();
    private volatile List<Condition> last = List.of();

    @Override
    public void roundEnded(List<Condition> conditions, List<Condition> constraints) {
      last = conditions;
      ended.incrementAndGet();
    }

    @Override
    public void webhooksRemediated(
        String configuration, List<WebhookChange> changes, boolean dryRun) {
      remediated.add((dryRun ? "would " : "did ") + configuration + " " + changes);
    }
  }

  @BeforeEach
  void open() {
    server.init();
    client =
        server.createClient((KubernetesClientBuilder builder) ->
            builder
                .editOrNewConfig()
                .withRequestRetryBackoffLimit(0)
                .withRequestTimeout(60_000) // a busy machine takes longer than the default of 10 s
                .endConfig());
    server.expect().get().withPath("/healthz").andReturn(200, "ok").always();
  }

  @AfterEach
  void close() throws Exception {
    care.close();
    client.close();
    try {
      server.destroy();
    } catch (IllegalStateException slow) {
      // The mock allows itself ten seconds, too few on a busy machine; all is decided by then.
    }
  }

  @Test
  @DisplayName("CH-26 a resource without wishes tells of API server, nodes and kube-system")
  void defaults() {
    client.resource(node("a", "True")).create();
    client.resource(deployment("coredns", "True")).create();
    care(Map.of());
    awaitStatus("APIServerAvailable", "True");
    awaitStatus("EveryNodeReady", "True");
    awaitStatus("SystemComponentsHealthy", "True");
    assertThat(message("SystemComponentsHealthy")).isEqualTo("1 component is healthy.");
    assertThat(status().path("constraints").findValuesAsText("type"))
        .containsExactly("HibernationPossible", "MaintenancePreconditionsSatisfied");
    await().until(() -> "healthy".equals(label()));
  }

  @Test
  @DisplayName("Issue 7: a broken Deployment and its mending are seen, told as events, labelled")
  void breaks() {
    client.resource(deployment("coredns", "True")).create();
    care(Map.of());
    awaitStatus("SystemComponentsHealthy", "True");
    client.resource(deployment("coredns", "False")).update();
    awaitStatus("SystemComponentsHealthy", "False");
    assertThat(message("SystemComponentsHealthy"))
        .startsWith("Deployment \"kube-system/coredns\" is unhealthy: condition \"Available\"");
    await().until(() -> "unhealthy".equals(label()));
    await()
        .untilAsserted(() ->
            assertThat(client.v1().events().inNamespace("default").list().getItems())
                .extracting(Event::getReason)
                .contains("DeploymentUnhealthy"));
    client.resource(deployment("coredns", "True")).update();
    awaitStatus("SystemComponentsHealthy", "True");
    await().until(() -> "healthy".equals(label()));
  }

  @Test
  @DisplayName("CH-55 in a cluster of Gardener's expired node leases fail EveryNodeReady")
  void nodeLeases() {
    client.resource(node("a", "True")).create();
    client
        .resource(
            new LeaseBuilder()
                .withNewMetadata()
                .withNamespace("kube-node-lease")
                .withName("a")
                .endMetadata()
                .withNewSpec()
                .withLeaseDurationSeconds(40)
                .withRenewTime(ZonedDateTime.parse("2020-01-01T00:00:00Z"))
                .endSpec()
                .build())
        .create();
    care(Map.of("gardener", Map.of("rule", "Shoot")));
    awaitStatus("EveryNodeReady", "False");
    assertThat(message("EveryNodeReady"))
        .isEqualTo("100% of the node leases in kube-node-lease have expired (1/1).");
  }

  @Test
  @DisplayName("CH-56 a seed's Prometheus that reports problems fails its condition")
  void prometheus() {
    GenericKubernetesResource prometheus = new GenericKubernetesResource();
    prometheus.setApiVersion("monitoring.coreos.com/v1");
    prometheus.setKind("Prometheus");
    prometheus.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace("garden")
            .withName("seed")
            .addToLabels("health-check-by", "gardenlet")
            .build());
    client
        .genericKubernetesResources(PrometheusHealth.KIND)
        .inNamespace("garden")
        .resource(prometheus)
        .create();
    server
        .expect()
        .get()
        .withPath(
            "/api/v1/namespaces/garden/pods/prometheus-seed-0:9090/proxy/api/v1/query"
                + "?query=healthcheck%3Aup")
        .andReturn(
            200, "{\"status\":\"success\",\"data\":{\"resultType\":\"vector\",\"result\":[]}}")
        .always();
    care(Map.of("gardener", Map.of("rule", "Seed", "prometheusHealthChecks", true)));
    awaitStatus("SeedSystemComponentsHealthy", "False");
    assertThat(message("SeedSystemComponentsHealthy"))
        .isEqualTo(
            "Prometheus \"garden/seed\" is unhealthy: health check recording rules are not"
                + " deployed or running yet.");
  }

  @Test
  @DisplayName("Issue 7: rounds that find nothing new write nothing")
  void writesNothing() {
    care(Map.of());
    awaitStatus("SystemComponentsHealthy", "True");
    await().until(() -> "healthy".equals(label()));
    String version = resource().get().getMetadata().getResourceVersion();
    writes();
    int before = rounds.ended.get();
    await().until(() -> rounds.ended.get() >= before + 3);
    assertThat(resource().get().getMetadata().getResourceVersion()).isEqualTo(version);
    assertThat(writes()).isEmpty();
  }

  @Test
  @DisplayName("Issue 15: a change is one write of the status; the label's only with its word")
  void oneWrite() {
    client.resource(deployment("coredns", "False")).create();
    care(Map.of());
    awaitStatus("SystemComponentsHealthy", "False");
    await().until(() -> "unhealthy".equals(label()));
    writes();
    client.resource(deployment("metrics", "False")).create();
    await().until(() -> message("SystemComponentsHealthy").contains("metrics"));
    int before = rounds.ended.get();
    await().until(() -> rounds.ended.get() >= before + 3);
    assertThat(writes())
        .containsExactly(
            "POST /apis/apps/v1/namespaces/kube-system/deployments",
            "PATCH /apis/probelet.io/v1alpha1/clusterhealths/cluster/status");
  }

  /** What was written since this was asked before. */
  private List<String> writes() {
    List<String> writes = new ArrayList<>();
    try {
      for (; asked < server.getRequestCount(); asked++) {
        RecordedRequest request = server.takeRequest();
        if (!"GET".equals(request.getMethod())) {
          writes.add(request.getMethod() + " " + request.getPath().replaceFirst("\\?.*", ""));
        }
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return writes;
  }

  @Test
  @DisplayName("CH-47 an API server that is gone is told to those who look here")
  void unreached() throws Exception {
    care(Map.of());
    awaitStatus("APIServerAvailable", "True");
    server.destroy();
    await()
        .untilAsserted(() ->
            assertThat(rounds.last)
                .filteredOn(condition -> condition.type().equals("APIServerAvailable"))
                .singleElement()
                .satisfies(condition -> {
                  assertThat(condition.status()).isEqualTo(ConditionStatus.FALSE);
                  assertThat(condition.message()).contains("cannot reach the API server");
                }));
  }

  @Test
  @DisplayName("CH-39 a spec that is refused is in the label, too")
  void refusedLabel() {
    care(Map.of());
    await().until(() -> "healthy".equals(label()));
    wish(Map.of("syncPeriod", "1s", "thresholds", Map.of("EveryNodeReady", "-1m")));
    await().until(() -> "unhealthy".equals(label()));
  }

  @Test
  @DisplayName("CH-46 fewer components than there must be, and conditions that make no sense here")
  void fewer() {
    client.resource(deployment("coredns", "True")).create();
    care(
        Map.of(
            "absentConditions",
            List.of("EveryNodeReady"),
            "components",
            List.of(
                Map.of(
                    "conditionType",
                    "ControlPlaneHealthy",
                    "kinds",
                    List.of("Deployment"),
                    "minimum",
                    2))));
    awaitStatus("ControlPlaneHealthy", "False");
    assertThat(message("ControlPlaneHealthy")).isEqualTo("Not enough Deployment (1/2).");
    assertThat(condition("EveryNodeReady").isMissingNode()).isTrue();
  }

  @Test
  @DisplayName("N-1 who does not lead any more writes nothing")
  void deposed() throws IOException {
    client.load(lockout()).create();
    leading.set(false);
    care(Map.of("webhookRemediation", "Enabled"));
    String version = resource().get().getMetadata().getResourceVersion();
    await().until(() -> rounds.ended.get() >= 2);
    assertThat(resource().get().getMetadata().getResourceVersion()).isEqualTo(version);
    assertThat(isRemediated()).isFalse();
    assertThat(rounds.remediated).isEmpty();
  }

  @Test
  @DisplayName("CC-12 a conflict is retried on the newest object")
  void conflict() {
    server
        .expect()
        .patch()
        .withPath("/apis/probelet.io/v1alpha1/clusterhealths/cluster/status")
        .andReturn(409, new StatusBuilder().withCode(409).withReason("Conflict").build())
        .once();
    care(Map.of("syncPeriod", "1h"));
    awaitStatus("APIServerAvailable", "True");
  }

  @Test
  @DisplayName("CH-37 what the API server refuses to list is Unknown, the rest is told")
  void forbidden() {
    server
        .expect()
        .get()
        .withPath("/api/v1/nodes?limit=250")
        .andReturn(
            403,
            new StatusBuilder()
                .withCode(403)
                .withMessage(
                    "nodes is forbidden: User \"system:serviceaccount:a:b\" cannot list resource"
                        + " \"nodes\" in API group \"\" at the cluster scope")
                .build())
        .always();
    care(Map.of());
    awaitStatus("EveryNodeReady", "Unknown");
    assertThat(message("EveryNodeReady"))
        .isEqualTo(
            "nodes cannot be listed: not allowed; grant \"list\" on nodes at the cluster scope to"
                + " system:serviceaccount:a:b");
    awaitStatus("SystemComponentsHealthy", "True");
  }

  @Test
  @DisplayName("CH-25 required components, named checks and a node that is not ready")
  void wishes() {
    client.resource(node("a", "False")).create();
    checks = checks.and("dns", _ -> CheckResult.unhealthy("no answer"));
    care(
        Map.of(
            "components",
            List.of(
                Map.of(
                    "conditionType",
                    "ControlPlaneHealthy",
                    "kinds",
                    List.of("Deployment"),
                    "namespaces",
                    List.of("kube-system"),
                    "required",
                    List.of("kube-scheduler"),
                    "checks",
                    List.of("dns", "APIServices")))));
    awaitStatus("EveryNodeReady", "False");
    awaitStatus("ControlPlaneHealthy", "False");
    assertThat(message("ControlPlaneHealthy"))
        .isEqualTo(
            "Required Deployment \"kube-scheduler\" is missing; "
                + "Check \"dns\" is unhealthy: no answer.");
    assertThat(status().path("conditions").findValuesAsText("type"))
        .doesNotContain("SystemComponentsHealthy");
  }

  @Test
  @DisplayName("CH-26 conditions of other controllers are taken over by type, the worst counts")
  void contributions() {
    shops();
    shop("books", "DatabaseHealthy", "True");
    shop("toys", "DatabaseHealthy", "False");
    shop("food", "FrontDoorOpen", "Progressing");
    care(Map.of("contributions", List.of(shopsSay(Map.of()))));
    awaitStatus("DatabaseHealthy", "False");
    assertThat(message("DatabaseHealthy")).isEqualTo("Shop \"town/toys\" reports False: said so.");
    awaitStatus("FrontDoorOpen", "Progressing");
  }

  @Test
  @DisplayName("CH-26 conditions in Kubernetes' standard form, without our time, count as well")
  void standardForm() {
    shops();
    shop(
        "toys",
        Map.of(
            "type", "DatabaseHealthy",
            "status", "False",
            "reason", "Because",
            "message", "no disk",
            "observedGeneration", 3,
            "lastTransitionTime", "2026-11-21T12:00:00Z"));
    shop("books", Map.of("type", "FrontDoorOpen", "status", "ajar"));
    care(Map.of("contributions", List.of(shopsSay(Map.of()))));
    awaitStatus("DatabaseHealthy", "False");
    assertThat(message("DatabaseHealthy")).isEqualTo("Shop \"town/toys\" reports False: no disk.");
    awaitStatus("FrontDoorOpen", "False");
    assertThat(message("FrontDoorOpen"))
        .isEqualTo("Shop \"town/books\" reports \"ajar\", which is not a valid condition status.");
  }

  @Test
  @DisplayName("CH-44 what a contributor said that has fallen silent is Unknown, until it is back")
  void silent() {
    shops();
    shop("books", "DatabaseHealthy", "True");
    care(
        Map.of(
            "contributions",
            List.of(
                shopsSay(
                    Map.of("heartbeat", Map.of("namespace", "town", "name", "shop-controller"))))));
    awaitStatus("DatabaseHealthy", "Unknown");
    assertThat(condition("DatabaseHealthy").path("reason").asText())
        .isEqualTo("ShopOutdatedHealthCheckReport");
    assertThat(message("DatabaseHealthy")).contains("there is no Lease \"town/shop-controller\"");
    renew(time.clock().wallTime().atZone(ZoneOffset.UTC));
    awaitStatus("DatabaseHealthy", "True");
    renew(time.clock().wallTime().atZone(ZoneOffset.UTC).minusMinutes(6));
    awaitStatus("DatabaseHealthy", "Unknown");
    assertThat(message("DatabaseHealthy")).endsWith("more than 5m0s ago.");
    String values =
        IntStream.range(0, 110_000)
            .mapToObj(i -> "\"a" + i + "\":\"x\"")
            .collect(Collectors.joining(","));
    server
        .expect()
        .get()
        .withPath("/apis/coordination.k8s.io/v1/namespaces/town/leases/shop-controller")
        .andReturn(200, "{\"metadata\":{\"annotations\":{" + values + "}}}")
        .always();
    await()
        .untilAsserted(() ->
            assertThat(message("DatabaseHealthy"))
                .contains("Lease \"town/shop-controller\", cannot be read")
                .contains("100000 values"));
  }

  private void renew(ZonedDateTime time) {
    client
        .resource(
            new LeaseBuilder()
                .withNewMetadata()
                .withNamespace("town")
                .withName("shop-controller")
                .endMetadata()
                .withNewSpec()
                .withRenewTime(time)
                .endSpec()
                .build())
        .createOr(NonDeletingOperation::update);
  }

  @Test
  @DisplayName("CH-57 an expression decides on objects of any kind; without a value it is Unknown")
  void expressions() {
    shops();
    shop("books", "Open", "True");
    care(Map.of("expressions", List.of(shopsWhen("conditions.Open.status == 'True'"))));
    awaitStatus("ShopsHealthy", "True");
    assertThat(message("ShopsHealthy")).isEqualTo("1 component is healthy.");
    shop("food", "Closed", "False");
    awaitStatus("ShopsHealthy", "Unknown");
    assertThat(message("ShopsHealthy"))
        .startsWith("Shop \"town/food\" could not be checked: healthyWhen has no value: ")
        .contains("Open");
    shop("toys", "Open", "False");
    awaitStatus("ShopsHealthy", "False");
    assertThat(condition("ShopsHealthy").path("reason").asText()).isEqualTo("ShopUnhealthy");
    assertThat(message("ShopsHealthy"))
        .isEqualTo("Shop \"town/toys\" is unhealthy: healthyWhen is false.");
  }

  @Test
  @DisplayName("CH-57 a kind that cannot be listed is Unknown")
  void expressionOfUnknownKind() {
    shops();
    Map<String, Object> mall = shopsWhen("true");
    mall.put("kind", "Mall");
    care(Map.of("expressions", List.of(mall)));
    awaitStatus("ShopsHealthy", "Unknown");
    assertThat(message("ShopsHealthy")).contains("does not know kind Mall of example.org/v1");
  }

  private static Map<String, Object> shopsWhen(String expression) {
    Map<String, Object> check = new LinkedHashMap<>();
    check.put("conditionType", "ShopsHealthy");
    check.put("apiVersion", "example.org/v1");
    check.put("kind", "Shop");
    check.put("healthyWhen", expression);
    return check;
  }

  private void shops() {
    server
        .expect()
        .get()
        .withPath("/apis/example.org/v1")
        .andReturn(
            200,
            new APIResourceListBuilder()
                .addNewResource()
                .withKind("Shop")
                .withName("shops")
                .withNamespaced(true)
                .endResource()
                .build())
        .always();
  }

  private static Map<String, Object> shopsSay(Map<String, Object> more) {
    Map<String, Object> contribution = new LinkedHashMap<>(more);
    contribution.put("apiVersion", "example.org/v1");
    contribution.put("kind", "Shop");
    contribution.put("conditionTypes", List.of("DatabaseHealthy", "FrontDoorOpen"));
    return contribution;
  }

  private void shop(String name, String type, String status) {
    shop(
        name,
        Map.of(
            "type", type,
            "status", status,
            "reason", "Because",
            "message", "said so",
            "lastTransitionTime", "2026-11-21T12:00:00Z",
            "lastUpdateTime", "2026-11-21T12:00:00Z"));
  }

  private void shop(String name, Map<String, Object> condition) {
    client
        .genericKubernetesResources(
            new ResourceDefinitionContext.Builder()
                .withGroup("example.org")
                .withVersion("v1")
                .withKind("Shop")
                .withPlural("shops")
                .withNamespaced(true)
                .build())
        .inNamespace("town")
        .resource(
            new GenericKubernetesResourceBuilder()
                .withApiVersion("example.org/v1")
                .withKind("Shop")
                .withNewMetadata()
                .withNamespace("town")
                .withName(name)
                .endMetadata()
                .addToAdditionalProperties("status", Map.of("conditions", List.of(condition)))
                .build())
        .create();
  }

  @Test
  @DisplayName("CH-34 webhooks are made harmless when wished, and only told of in a dry run")
  void webhooks() throws IOException {
    client.load(lockout()).create();
    care(Map.of("webhookRemediation", "DryRun"));
    await().until(() -> !rounds.remediated.isEmpty());
    int before = rounds.ended.get();
    await().until(() -> rounds.ended.get() >= before + 2);
    assertThat(rounds.remediated)
        .singleElement()
        .asString()
        .startsWith("would ValidatingWebhookConfiguration/image-policy");
    assertThat(isRemediated()).isFalse();
    awaitConstraint("ProblematicWebhooks");

    wish(Map.of("syncPeriod", "1s", "webhookRemediation", "Enabled"));
    await().until(this::isRemediated);
    awaitConstraint("RemediatedWebhooks");
    assertThat(webhook().getMetadata().getAnnotations())
        .containsKey("remediation.webhook.probelet.io/changes");
  }

  @Test
  @DisplayName("a round lists webhook configurations and CRDs once, whoever looks at them")
  void listsOnce() throws IOException, InterruptedException {
    client.load(lockout()).create();
    care(
        Map.of(
            "syncPeriod",
            "1h",
            "webhookRemediation",
            "DryRun",
            "components",
            List.of(
                Map.of(
                    "conditionType",
                    "DefinitionsHealthy",
                    "kinds",
                    List.of(),
                    "checks",
                    List.of("CustomResourceDefinitions")))));
    awaitStatus("DefinitionsHealthy", "True");
    await().until(() -> !rounds.remediated.isEmpty());
    List<String> asked = new ArrayList<>();
    while (server.getRequestCount() > asked.size()) {
      asked.add(server.takeRequest().getPath());
    }
    for (String kind :
        List.of(
            "validatingwebhookconfigurations",
            "mutatingwebhookconfigurations",
            "customresourcedefinitions")) {
      assertThat(asked).filteredOn(path -> path.contains("/" + kind + "?limit=250")).hasSize(1);
    }
  }

  @Test
  @DisplayName("CH-25 a wish that changes during a round does not wait for the next period")
  void wishDuringRound() {
    Updates updates = new Updates();
    checks =
        checks.and(
            "slow",
            _ -> {
              wish(Map.of("syncPeriod", "1h"));
              updates.await();
              return CheckResult.healthy();
            });
    try (SharedIndexInformer<GenericKubernetesResource> _ =
        client.genericKubernetesResources(ClusterCare.KIND).inform(updates)) {
      care(wishFor("slow"));
      awaitStatus("SystemComponentsHealthy", "True");
    }
  }

  @Test
  @DisplayName("N-1 a round that outlasts the care writes nothing, though its term goes on")
  void closedDuringRound() throws Exception {
    CompletableFuture<Thread> underWay = new CompletableFuture<>();
    CompletableFuture<CheckResult> answer = new CompletableFuture<>();
    checks =
        checks.and(
            "slow",
            _ -> {
              underWay.complete(Thread.currentThread());
              CheckResult result = answer.join();
              boolean _ = Thread.interrupted(); // as who has caught it and goes on
              return result;
            });
    create(wishFor("slow"));
    care = ClusterCare.start(client, checks, time.clock(), new Random(1), rounds, leading::get);
    Thread round = underWay.get(1, TimeUnit.MINUTES);
    care.close();
    answer.complete(CheckResult.unhealthy("interrupted"));
    assertThat(round.join(Duration.ofMinutes(1))).isTrue();
    assertThat(status().isMissingNode() || status().isNull()).as("%s", status()).isTrue();
  }

  @Test
  @DisplayName(
      "CH-25 an author's check that ends in an error was not carried out, the rest is told")
  void brokenCheck() {
    checks =
        checks.and(
            "broken",
            _ -> {
              throw new NoClassDefFoundError("com/example/Checks");
            });
    care(wishFor("broken"));
    awaitStatus("APIServerAvailable", "True");
    assertThat(message("ControlPlaneHealthy")).contains("com/example/Checks");
  }

  /** Nothing but a check of that name. */
  private static Map<String, Object> wishFor(String check) {
    return Map.of(
        "syncPeriod",
        "1h",
        "components",
        List.of(
            Map.of(
                "conditionType",
                "ControlPlaneHealthy",
                "kinds",
                List.of(),
                "checks",
                List.of(check))));
  }

  /** Tells that what was changed has been told to those who watch. */
  private static final class Updates implements ResourceEventHandler<GenericKubernetesResource> {
    private final CountDownLatch first = new CountDownLatch(1);

    void await() {
      try {
        first.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void onAdd(GenericKubernetesResource wish) {}

    @Override
    public void onUpdate(GenericKubernetesResource old, GenericKubernetesResource wish) {
      first.countDown();
    }

    @Override
    public void onDelete(GenericKubernetesResource wish, boolean finalStateUnknown) {}
  }

  @Test
  @DisplayName("CH-38 a wish that cannot be meant so is answered with an error")
  void refused() {
    care(Map.of("thresholds", Map.of("EveryNodeReady", "-1m")));
    await().until(() -> "Error".equals(status().at("/lastOperation/state").asText()));
    assertThat(status().at("/lastErrors/0/description").asText()).contains("EveryNodeReady");
  }

  @Test
  @DisplayName("CH-38 a check that nobody has is answered with an error that names those there are")
  void noSuchCheck() {
    care(wishFor("no-such-check"));
    await().until(() -> "Error".equals(status().at("/lastOperation/state").asText()));
    assertThat(status().at("/lastErrors/0/description").asText())
        .contains(
            "spec.components[0].checks[0]: Unsupported value: \"no-such-check\"", "APIServices");
  }

  @Test
  @DisplayName("CH-25 only the resource named cluster counts")
  void otherName() {
    client.genericKubernetesResources(ClusterCare.KIND).resource(wishOf("mine", Map.of())).create();
    care(Map.of());
    awaitStatus("APIServerAvailable", "True");
    assertThat(
            client
                .genericKubernetesResources(ClusterCare.KIND)
                .withName("mine")
                .get()
                .<Object>get("status"))
        .isNull();
  }

  private void care(Map<String, Object> spec) {
    step = spec.containsKey("syncPeriod") ? Duration.ZERO : PERIOD;
    create(spec);
    care =
        new ClusterCare(
            client,
            checks,
            time.clock(),
            new Random(1),
            rounds,
            leading::get,
            time.loop("cluster-care"));
  }

  private void create(Map<String, Object> spec) {
    Map<String, Object> wishes = new LinkedHashMap<>(spec);
    wishes.putIfAbsent("syncPeriod", PERIOD.toSeconds() + "s");
    client
        .genericKubernetesResources(ClusterCare.KIND)
        .resource(wishOf("cluster", wishes))
        .create();
  }

  /** Waits for what the watch has to tell; unless its period is long, with a round each time. */
  private ConditionFactory await() {
    return time.await(step);
  }

  private void wish(Map<String, Object> spec) {
    resource()
        .edit(old -> {
          old.setAdditionalProperty("spec", spec);
          return old;
        });
  }

  private static GenericKubernetesResource wishOf(String name, Map<String, Object> spec) {
    return new GenericKubernetesResourceBuilder()
        .withApiVersion("probelet.io/v1alpha1")
        .withKind("ClusterHealth")
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .addToAdditionalProperties("spec", spec)
        .build();
  }

  private Resource<GenericKubernetesResource> resource() {
    return client.genericKubernetesResources(ClusterCare.KIND).withName("cluster");
  }

  private JsonNode status() {
    return JSON.valueToTree(resource().get().get("status"));
  }

  private void awaitStatus(String type, String wanted) {
    await()
        .untilAsserted(() -> assertThat(condition(type).path("status").asText()).isEqualTo(wanted));
  }

  private void awaitConstraint(String reason) {
    await()
        .untilAsserted(() ->
            assertThat(status().path("constraints").findValuesAsText("reason"))
                .containsOnly(reason));
  }

  private String message(String type) {
    return condition(type).path("message").asText();
  }

  private JsonNode condition(String type) {
    for (JsonNode condition : status().path("conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition;
      }
    }
    return JSON.missingNode();
  }

  private String label() {
    Map<String, String> labels = resource().get().getMetadata().getLabels();
    return labels == null ? "" : labels.getOrDefault("probelet.io/status", "");
  }

  private ValidatingWebhookConfiguration webhook() {
    return client.resources(ValidatingWebhookConfiguration.class).withName("image-policy").get();
  }

  private boolean isRemediated() {
    return webhook().getWebhooks().getFirst().getNamespaceSelector() != null;
  }

  /** A webhook without which there are no pods. */
  private static InputStream lockout() throws IOException {
    return Files.newInputStream(Path.of("..", "examples", "webhooks", "bad-all-pods-fail.yaml"));
  }

  private static Node node(String name, String ready) {
    return new NodeBuilder()
        .withNewMetadata()
        .withName(name)
        .endMetadata()
        .withNewStatus()
        .addNewCondition()
        .withType("Ready")
        .withStatus(ready)
        .endCondition()
        .endStatus()
        .build();
  }

  private static Deployment deployment(String name, String available) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withNamespace("kube-system")
        .withName(name)
        .withGeneration(1L)
        .endMetadata()
        .withNewStatus()
        .withObservedGeneration(1L)
        .addNewCondition()
        .withType("Available")
        .withStatus(available)
        .withReason("MinimumReplicas")
        .endCondition()
        .endStatus()
        .build();
  }
}
