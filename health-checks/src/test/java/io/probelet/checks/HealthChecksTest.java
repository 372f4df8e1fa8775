package io.probelet.checks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.probelet.checks.error.ErrorCodeClassifier;
import io.probelet.checks.result.CheckResult;
import io.probelet.health.VirtualTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(240)
@EnableKubernetesMockClient(crud = true, https = false)
class HealthChecksTest {

  private KubernetesClient client;
  private KubernetesMockServer server;
  private final VirtualTime time = new VirtualTime();
  private AutoCloseable controller = () -> {};

  @AfterEach
  void close() throws Exception {
    controller.close();
    client.close(); // the server waits for its connections, and fails after ten seconds
  }

  @Test
  @DisplayName("Issue 7, acceptance 2: the example of the docs is this code")
  void docs() throws IOException {
    String code =
        Files.readString(Path.of("src/test/java/io/probelet/checks/ShopHealth.java"))
            .lines()
            .dropWhile(line -> !line.contains("docs: begin"))
            .skip(1)
            .takeWhile(line -> !line.contains("docs: end"))
            .map(line -> line.startsWith("  ") ? line.substring(2) : line)
            .collect(Collectors.joining("\n"));

    assertThat(Files.readString(Path.of("../docs/how-to/health-checks.md"))).contains(code);
  }

  @Test
  @DisplayName("Issue 7, acceptance 2: the example of the docs runs")
  void example() {
    create(new Shop());
    controller = ShopHealth.start(client);

    Awaitility.await().until(() -> conditions().size() == 2);
    assertThat(said("DatabaseHealthy"))
        .isEqualTo(
            "False HealthCheckUnsuccessful: StatefulSet \"books-db\" in namespace \"town\" not"
                + " found.");
    assertThat(said("FrontDoorOpen"))
        .isEqualTo("Progressing HealthCheckProgressing: Service \"door\" is not there yet.");
  }

  @Test
  @DisplayName("CH-5 CH-7 each period the condition follows what it depends on; others' stay")
  void follows() {
    Shop shop = new Shop();
    Map<String, Object> foreign = Map.of("type", "Paid", "status", "True", "by", "the bank");
    shop.setStatus(new Shop.Status());
    shop.getStatus().conditions = List.of(foreign);
    shop.getStatus().phase = "Open";
    create(shop);
    createDatabase(0);
    start(
        HealthChecks.of(Shop.class)
            .check("DatabaseHealthy", ObjectInCluster.named(StatefulSet.class, any -> "db")));

    await()
        .until(
            () -> said("DatabaseHealthy"),
            ("False HealthCheckUnsuccessful: StatefulSet \"db\" in namespace \"town\" is"
                    + " unhealthy: not enough ready replicas (0/1).")
                ::equals);
    client
        .apps()
        .statefulSets()
        .inNamespace("town")
        .withName("db")
        .edit(
            db -> new StatefulSetBuilder(db).editStatus().withReadyReplicas(1).endStatus().build());
    time.await(HealthChecks.DEFAULT_SYNC_PERIOD)
        .until(
            () -> said("DatabaseHealthy"),
            "True HealthCheckSuccessful: (1/1) Health checks successful"::equals);

    assertThat(conditions()).hasSize(2).first().isEqualTo(foreign);
    assertThat(shop().getStatus().phase).isEqualTo("Open");
  }

  @Test
  @DisplayName("CH-49 after a start those that say how they are wait their turn, new ones do not")
  void spread() {
    Shop old = new Shop();
    old.setStatus(new Shop.Status());
    old.getStatus().conditions = List.of(Map.of("type", "Fine", "status", "True"));
    create(old);
    client.resource(named("toys")).create();
    Set<String> checked = ConcurrentHashMap.newKeySet();
    Duration hour = Duration.ofHours(1);
    start(
        HealthChecks.of(Shop.class)
            .check(
                "Fine",
                run -> {
                  checked.add(run.object().getMetadata().getName());
                  return CheckResult.healthy();
                })
            .random(() -> 2 * (hour.toNanos() - 1))
            .every(hour));
    await().until(() -> checked.contains("toys"));
    client.resource(named("more")).create(); // seen after both
    await().until(() -> checked.contains("more"));
    assertThat(checked).containsExactlyInAnyOrder("toys", "more");
    awaitWritten(1);
  }

  /** The server does not end while it is being asked. */
  private void awaitWritten(int conditions) {
    await()
        .until(
            () -> client.resources(Shop.class).inAnyNamespace().list().getItems(),
            shops ->
                shops.stream()
                    .allMatch(shop ->
                        shop.getStatus() != null
                            && shop.getStatus().conditions.size() == conditions));
  }

  private static Shop named(String name) {
    Shop shop = new Shop();
    shop.setMetadata(new ObjectMetaBuilder().withNamespace("town").withName(name).build());
    return shop;
  }

  @Test
  @DisplayName("CH-49 limits concurrent checks, and all of them run")
  void concurrency() {
    AtomicInteger underWay = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    for (int i = 0; i < 20; i++) {
      client.resource(named("shop-" + i)).create();
    }
    HealthCheck<Shop> busy =
        run -> {
          most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
          run.find(run.source(), ObjectKind.of(Service.class), "town", "door");
          underWay.decrementAndGet();
          done.incrementAndGet();
          return CheckResult.healthy();
        };
    start(
        HealthChecks.of(Shop.class)
            .check("A", busy)
            .check("B", busy)
            .check("C", busy)
            .concurrency(2)
            .every(Duration.ofMinutes(2)));
    await().until(() -> done.get() == 60);
    awaitWritten(3);
    assertThat(most.get()).isBetween(1, 2);
    assertThatThrownBy(() -> HealthChecks.of(Shop.class).concurrency(0))
        .hasMessage("concurrency is 0; use 1 or more");
  }

  @Test
  @DisplayName("CH-7 a failed read names the cause and the missing permission")
  void causes() {
    create(new Shop());
    server
        .expect()
        .get()
        .withPath("/apis/apps/v1/namespaces/town/statefulsets/db")
        .andReturn(
            403,
            new StatusBuilder()
                .withCode(403)
                .withMessage(
                    "statefulsets.apps \"db\" is forbidden: User \"u\" cannot get resource"
                        + " \"statefulsets\" in API group \"apps\" in the namespace \"town\"")
                .build())
        .always();
    start(
        HealthChecks.of(Shop.class)
            .check("DatabaseHealthy", ObjectInCluster.named(StatefulSet.class, any -> "db"))
            .check(
                "DoorOpen",
                run -> true,
                run -> {
                  throw new IllegalStateException(
                      "the door was not found", new IOException("no route"));
                }));
    await().until(() -> conditions().size() == 2);
    assertThat(said("DatabaseHealthy"))
        .endsWith(
            "StatefulSet \"db\" in namespace \"town\": not allowed; grant \"get\" on"
                + " statefulsets.apps in the namespace \"town\" to u.");
    assertThat(said("DoorOpen")).endsWith("the door was not found: no route.");
  }

  @Test
  @DisplayName("CC-5 a round that changes nothing writes nothing")
  void quiet() {
    AtomicInteger rounds = new AtomicInteger();
    create(new Shop());
    start(
        HealthChecks.of(Shop.class)
            .check(
                "Fine",
                run -> {
                  rounds.incrementAndGet();
                  return CheckResult.healthy();
                })
            .every(Duration.ofMinutes(10)));
    await().until(() -> conditions().size() == 1);

    int before = rounds.get();
    for (int round = 1; round <= 4; round++) {
      String type = "type " + round;
      String version =
          shops()
              .withName("books")
              .edit(shop -> typed(shop, type))
              .getMetadata()
              .getResourceVersion();
      int begun = before + round;
      // Rounds do not overlap: the one before has written all it would have.
      await().until(() -> rounds.get() == begun);
      assertThat(shop().getMetadata().getResourceVersion()).isEqualTo(version);
    }
  }

  @Test
  @DisplayName("CH-4 CC-3 a target that is away fails only the checks that ask for it")
  void targetAway() {
    create(new Shop());
    start(
        HealthChecks.of(Shop.class)
            .target(shop -> {
              throw new IllegalStateException("no kubeconfig");
            })
            .check(
                "Far",
                ObjectInCluster.<Shop, StatefulSet>named(StatefulSet.class, any -> "db").inTarget())
            .check("Near", run -> CheckResult.healthy()));

    await().until(() -> conditions().size() == 2);
    assertThat(said("Far"))
        .isEqualTo(
            "Unknown ConditionCheckError: failed to execute 1 health check: cannot build a client"
                + " for the target cluster: no kubeconfig.");
    assertThat(said("Near")).startsWith("True ");
  }

  @Test
  @DisplayName("CH-5 a check that hangs is reported in time, and does not hold up the others")
  void hangs() {
    create(new Shop());
    CountDownLatch never = new CountDownLatch(1);
    start(
        HealthChecks.of(Shop.class)
            .check(
                "Slow",
                run -> {
                  never.await();
                  return CheckResult.healthy();
                })
            .check("Quick", run -> CheckResult.healthy())
            .every(Duration.ofSeconds(1)));

    await().until(() -> conditions().size() == 2);
    assertThat(said("Slow")).endsWith("failed to execute 1 health check: timed out after 1s.");
    await().until(() -> said("Quick"), said -> said.startsWith("True "));
  }

  @Test
  @DisplayName("CH-6 a hibernated object is True without a check")
  void hibernated() {
    Shop shop = new Shop();
    shop.setSpec(new Shop.Spec());
    shop.getSpec().asleep = true;
    create(shop);
    start(
        HealthChecks.of(Shop.class)
            .hibernatedWhen(one -> Boolean.TRUE.equals(one.getSpec().asleep))
            .check("Fine", run -> CheckResult.unhealthy("asked all the same")));

    await().until(() -> said("Fine"), "True HealthCheckSuccessful: Shop is hibernated"::equals);
  }

  @Test
  @DisplayName("CH-6 a pre-check that says no counts as successful; §6 codes are found in details")
  void preCheckAndCodes() {
    create(new Shop());
    start(
        HealthChecks.of(Shop.class)
            .check(
                "Skipped",
                run -> false,
                run -> CheckResult.unhealthy("asked all the same"),
                ErrorCodeClassifier.NONE)
            .check(
                "Coded",
                run -> true,
                run -> CheckResult.unhealthy("Throttling"),
                ErrorCodeClassifier.DEFAULTS));

    await().until(() -> conditions().size() == 2);
    assertThat(said("Skipped")).startsWith("True ");
    assertThat(condition("Coded").get("codes"))
        .isEqualTo(List.of("ERR_INFRA_RATE_LIMITS_EXCEEDED"));
  }

  @Test
  @DisplayName("CH-3 CH-6 only what is selected is checked, and nothing that leaves")
  void selection() {
    List<String> asked = new CopyOnWriteArrayList<>();
    create(named("books", "shop", Map.of("town", "a")));
    create(named("fruit", "stall", Map.of("town", "a")));
    create(named("bread", "shop", Map.of("town", "b")));
    create(named("milk", "shop", Map.of("town", "a")));
    start(
        HealthChecks.of(Shop.class)
            .inNamespace("town")
            .labelled("town", "a")
            .ofSpecType("shop")
            .migratingWhen(shop -> shop.getMetadata().getName().equals("milk"))
            .check(
                "Fine",
                run -> {
                  asked.add(run.object().getMetadata().getName());
                  return CheckResult.healthy();
                }));

    await().until(() -> conditions().size() == 1);
    assertThat(asked).containsOnly("books");
  }

  @Test
  @DisplayName("CH-3 CH-5 checks a new generation immediately, other updates not")
  void change() {
    AtomicInteger rounds = new AtomicInteger();
    create(new Shop());
    start(
        HealthChecks.of(Shop.class)
            .check(
                "Fine",
                run -> {
                  rounds.incrementAndGet();
                  return CheckResult.healthy();
                })
            .every(Duration.ofMinutes(10)));
    await().until(() -> conditions().size() == 1);

    int before = rounds.get();
    shops().withName("books").edit(shop -> typed(shop, "stall"));
    await().until(() -> rounds.get() == before + 1);

    shops().withName("books").edit(shop -> labelled(shop, "a"));
    shops().withName("books").edit(shop -> typed(shop, "shop"));
    await().until(() -> rounds.get() > before + 1);
    assertThat(rounds.get()).isEqualTo(before + 2);
  }

  @Test
  @DisplayName("CH-5 with onChange, checks only these updates immediately")
  void ownChange() {
    AtomicInteger rounds = new AtomicInteger();
    create(new Shop());
    start(
        HealthChecks.of(Shop.class)
            .check(
                "Fine",
                run -> {
                  rounds.incrementAndGet();
                  return CheckResult.healthy();
                })
            .onChange((old, shop) ->
                !Objects.equals(old.getMetadata().getLabels(), shop.getMetadata().getLabels()))
            .every(Duration.ofMinutes(10)));
    await().until(() -> conditions().size() == 1);

    int before = rounds.get();
    shops().withName("books").edit(shop -> labelled(shop, "a"));
    await().until(() -> rounds.get() == before + 1);

    shops().withName("books").edit(shop -> typed(shop, "stall"));
    shops().withName("books").edit(shop -> labelled(shop, "b"));
    await().until(() -> rounds.get() > before + 1);
    assertThat(rounds.get()).isEqualTo(before + 2);
  }

  @Test
  @DisplayName("CH-2 condition types of an earlier version are taken out")
  void removing() {
    Shop shop = new Shop();
    shop.setStatus(new Shop.Status());
    shop.getStatus().conditions = List.of(Map.of("type", "Old", "status", "True"));
    create(shop);
    start(HealthChecks.of(Shop.class).removing("Old").check("New", run -> CheckResult.healthy()));

    await().until(() -> said("New"), said -> said.startsWith("True "));
    assertThat(conditions()).extracting("type").containsExactly("New");
  }

  @Test
  @DisplayName("CH-3 a kind without a model class")
  void generic() {
    create(new Shop());
    ResourceDefinitionContext kind =
        new ResourceDefinitionContext.Builder()
            .withGroup("shop.example")
            .withVersion("v1")
            .withKind("Shop")
            .withPlural("shops")
            .withNamespaced(true)
            .build();
    client.services().inNamespace("town").resource(door("ClusterIP")).create();
    HealthChecks<GenericKubernetesResource> checks =
        HealthChecks.of(kind)
            .check(
                "DoorOpen",
                ObjectInCluster.named(
                    io.fabric8.kubernetes.api.model.Service.class, any -> "door"));
    start(checks);

    await().until(() -> said("DoorOpen"), said -> said.startsWith("True "));
  }

  @Test
  @DisplayName("CH-4 each check has its own logger")
  void loggers() {
    create(new Shop());
    Set<Object> loggers = ConcurrentHashMap.newKeySet();
    start(
        HealthChecks.of(Shop.class)
            .check(
                "Fine",
                run -> {
                  loggers.add(run.logger());
                  return CheckResult.healthy();
                }));
    await().until(() -> conditions().size() == 1);

    assertThat(loggers).hasSize(1);
    assertThat(HealthChecks.loggerName("Shop", "Fine", 0))
        .isEqualTo("io.probelet.checks.Shop.Fine");
    assertThat(HealthChecks.loggerName("Shop", "Fine", 1))
        .isEqualTo("io.probelet.checks.Shop.Fine.2");
  }

  @Test
  void mistakesAreNamed() {
    assertThatThrownBy(() -> HealthChecks.of(Shop.class).start(client))
        .hasMessage("no check was registered; add one with check(…)");
    assertThatThrownBy(() -> HealthChecks.of(Shop.class).every(Duration.ZERO))
        .hasMessage("sync period is PT0S; use more than 0");
    assertThatThrownBy(() -> HealthChecks.of(Shop.class).check(" ", run -> CheckResult.healthy()))
        .hasMessage("a check requires a condition type, such as Ready");
  }

  private <T extends HasMetadata> void start(HealthChecks<T> checks) {
    controller = checks.start(client, time.loop("health-checks"));
  }

  private ConditionFactory await() {
    return time.await(Duration.ZERO);
  }

  private void create(Shop shop) {
    if (shop.getMetadata().getName() == null) {
      shop.getMetadata().setName("books");
    }
    shop.getMetadata().setNamespace("town");
    Shop.Status status = shop.getStatus();
    client.resource(shop).create();
    if (status != null) {
      shop.setStatus(status);
      client.resource(shop).updateStatus();
    }
  }

  private static Shop named(String name, String type, Map<String, String> labels) {
    Shop shop = new Shop();
    shop.getMetadata().setName(name);
    shop.getMetadata().setLabels(new HashMap<>(labels));
    shop.setSpec(new Shop.Spec());
    shop.getSpec().type = type;
    return shop;
  }

  private static Shop typed(Shop shop, String type) {
    shop.setSpec(new Shop.Spec());
    shop.getSpec().type = type;
    return shop;
  }

  private static Shop labelled(Shop shop, String town) {
    shop.getMetadata().setLabels(new HashMap<>(Map.of("town", town)));
    return shop;
  }

  private void createDatabase(int ready) {
    client
        .resource(
            new StatefulSetBuilder()
                .withNewMetadata()
                .withName("db")
                .withNamespace("town")
                .endMetadata()
                .withNewStatus()
                .withObservedGeneration(9L)
                .withReadyReplicas(ready)
                .endStatus()
                .build())
        .create();
  }

  private static Service door(String type) {
    return new ServiceBuilder()
        .withNewMetadata()
        .withName("door")
        .endMetadata()
        .withNewSpec()
        .withType(type)
        .endSpec()
        .build();
  }

  private NonNamespaceOperation<Shop, KubernetesResourceList<Shop>, Resource<Shop>> shops() {
    return client.resources(Shop.class).inNamespace("town");
  }

  private Shop shop() {
    return shops().withName("books").get();
  }

  private List<Map<String, Object>> conditions() {
    Shop.Status status = shop().getStatus();
    return status == null || status.conditions == null ? List.of() : status.conditions;
  }

  private Map<String, Object> condition(String type) {
    return conditions().stream()
        .filter(condition -> type.equals(condition.get("type")))
        .findFirst()
        .orElse(Map.of());
  }

  private String said(String type) {
    Map<String, Object> condition = condition(type);
    return "%s %s: %s"
        .formatted(condition.get("status"), condition.get("reason"), condition.get("message"));
  }
}
