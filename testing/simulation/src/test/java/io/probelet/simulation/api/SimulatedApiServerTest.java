package io.probelet.simulation.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiServer;
import io.probelet.kube.access.ClusterAccess;
import io.probelet.simulation.api.RequestFate.Effect;
import io.probelet.simulation.api.SimulatedApiServer.Reply;
import io.probelet.simulation.kernel.Machine;
import io.probelet.simulation.kernel.SimulatedProcess;
import io.probelet.simulation.kernel.Simulation;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SimulatedApiServerTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String NODES = "/api/v1/nodes";
  private static final String NODE = NODES + "/a";

  private final Simulation world = new Simulation(1);
  private final SimulatedApiServer server = new SimulatedApiServer(world);
  private final SimulatedProcess process =
      new SimulatedProcess(new Machine(world, "agent"), "agent");
  private final ClusterAccess access = server.access(process);
  private final ApiServer api = ApiServer.of(access.client(), Duration.ofSeconds(5), process);
  private final List<String> seen = new ArrayList<>();

  private static ObjectNode object(String json) {
    try {
      return (ObjectNode) JSON.readTree(json.replace('\'', '"'));
    } catch (JsonProcessingException invalid) {
      throw new IllegalArgumentException(invalid);
    }
  }

  private static ObjectNode node(String name) {
    return object("{'apiVersion':'v1','kind':'Node','metadata':{'name':'%s'}}".formatted(name));
  }

  private void saw(String what) {
    seen.add("%.1f %s".formatted(world.now() / 1e9, what));
  }

  /** Sends a request from within the process, and notes when its result came. */
  private void ask(Function<ApiServer, ApiResult> request) {
    process.start("test", () -> saw(request.apply(api).summary()));
  }

  private void expect(String... all) {
    assertThat(seen).containsExactly(all);
    assertThat(world.failures()).isEmpty();
    seen.clear();
  }

  /** Follows a watch of nodes from within the process. */
  private void follow(String query) {
    process.start(
        "watch",
        () -> {
          try {
            ApiResult end =
                api.follow(
                    NODES + "?watch=true" + query,
                    ApiServer.JSON_TYPE,
                    Duration.ofSeconds(150),
                    this::event);
            saw(end.summary());
          } catch (InterruptedException stop) {
            world.failed(stop);
          }
        });
  }

  private void event(ByteBuffer bytes) {
    String text = StandardCharsets.UTF_8.decode(bytes).toString();
    for (String line : text.strip().split("\n", -1)) {
      try {
        JsonNode event = JSON.readTree(line);
        JsonNode object = event.path("object");
        saw(
            event.path("type").asText()
                + " "
                + object.at("/metadata/name").asText(object.path("reason").asText()));
      } catch (JsonProcessingException cut) {
        saw("half of an event");
      }
    }
  }

  @Test
  @DisplayName("senders see each fault as they would with a real server")
  void faults() {
    server.put(node("a"));
    List<Effect> effects =
        new ArrayList<>(
            List.of(
                new Effect.LostRequest(),
                new Effect.LostAnswer(),
                new Effect.CutAnswer(),
                RequestFate.tooManyRequests(Duration.ofSeconds(3)),
                RequestFate.internalError(),
                RequestFate.deniedByAdmission("p"),
                RequestFate.conflict(),
                new Effect.FailedAfterwards(504, "timeout")));
    server.faults(request -> RequestFate.of(effects.removeFirst()));
    List<String> labels = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      ask(api ->
          api.patch(
              NODE,
              ApiServer.MERGE_PATCH,
              object("{'metadata':{'labels':{'a':'%s'}}}".formatted(effects.size()))));
      world.run(Duration.ofSeconds(10));
      labels.add(server.get(NODE).at("/metadata/labels/a").asText("-"));
    }
    assertThat(seen)
        .satisfiesExactly(
            lost -> assertThat(lost).startsWith("5.0 request failed"),
            answer -> assertThat(answer).startsWith("15.0 request failed"),
            cut -> assertThat(cut).startsWith("20.0 request failed"),
            full -> assertThat(full).startsWith("30.0 429 "),
            internal -> assertThat(internal).startsWith("40.0 500 "),
            admission -> assertThat(admission).startsWith("50.0 403 admission policy"),
            conflict -> assertThat(conflict).startsWith("60.0 409 "),
            later -> assertThat(later).startsWith("70.0 504 timeout"));
    assertThat(labels).containsExactly("-", "7", "6", "6", "6", "6", "6", "1");
  }

  @Test
  @DisplayName("a request repeated by a proxy is carried out twice")
  void duplicate() {
    server.faults(_ -> RequestFate.of(new Effect.Duplicated(Duration.ofMillis(100))));
    ask(api -> api.create(NODES, node("a")));
    world.run(Duration.ofSeconds(1));
    expect("0.1 409 nodes \"a\" already exists");
  }

  @Test
  @DisplayName("a stopped server refuses connections; a partition loses them until they time out")
  void unreachable() {
    server.stopped(true);
    ask(api -> api.get(NODES));
    world.run(Duration.ofSeconds(1));
    assertThat(seen.removeFirst()).startsWith("0.0 request failed").contains("refused");
    assertThat(access.answers().isUp()).isFalse();
    server.stopped(false);
    server.partition(process, true);
    ask(api -> api.get(NODES));
    world.run(Duration.ofSeconds(9));
    assertThat(seen.removeFirst()).startsWith("6.0 request failed");
    server.partition(process, false);
    ask(api -> api.get(NODES));
    world.run(Duration.ofSeconds(1));
    expect("10.0 done");
    assertThat(access.answers().isUp()).isTrue();
  }

  @Test
  @DisplayName("a watch gets changes, bookmarks, its end in time, and 410 for a forgotten version")
  void watch() {
    server.put(node("a"));
    long then = server.version();
    server.put(node("b"));
    follow("&allowWatchBookmarks=true&timeoutSeconds=90&resourceVersion=" + then);
    world.run(Duration.ofSeconds(1));
    server.patch(NODE, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
    server.delete(NODE);
    world.run(Duration.ofSeconds(100));
    expect(
        "0.0 ADDED b",
        "1.0 MODIFIED a",
        "1.0 DELETED a",
        "60.0 BOOKMARK ",
        "90.0 BOOKMARK ",
        "90.0 done");
    server.compact();
    follow("&resourceVersion=" + then);
    world.run(Duration.ofSeconds(1));
    expect("101.0 ERROR Expired", "101.0 done");
    follow("");
    world.run(Duration.ofSeconds(1));
    expect("102.0 ADDED b");
  }

  @Test
  @DisplayName("events of a watch are delayed in order, and cut")
  void delayedEvents() {
    Duration[] delay = {Duration.ofSeconds(5)};
    boolean[] cut = {false};
    server.faults(
        new ApiFaults() {
          @Override
          public RequestFate of(ApiRequest request) {
            return RequestFate.USUAL;
          }

          @Override
          public EventFate ofEvent(ApiRequest watch) {
            return new EventFate(delay[0], cut[0]);
          }
        });
    follow("&resourceVersion=" + server.version());
    world.run(Duration.ofSeconds(1));
    server.put(node("a"));
    delay[0] = Duration.ZERO;
    server.put(node("b"));
    world.run(Duration.ofSeconds(9));
    expect("6.0 ADDED a", "6.0 ADDED b");
    cut[0] = true;
    server.put(node("c"));
    world.run(Duration.ofSeconds(1));
    assertThat(seen).hasSize(2);
    assertThat(seen.getFirst()).isEqualTo("10.0 half of an event");
    assertThat(seen.getLast()).contains("request failed").contains("reset");
  }

  @Test
  @DisplayName(
      "etcd restored from a backup goes back with its versions: later watches miss changes")
  void restore() {
    server.put(node("a"));
    SimulatedApiServer.Snapshot backup = server.snapshot();
    server.put(node("b"));
    long later = server.version();
    follow("&resourceVersion=" + later);
    world.run(Duration.ofSeconds(1));
    server.restore(backup);
    world.run(Duration.ofSeconds(1));
    expect("1.0 done");
    assertThat(server.version()).isLessThan(later);
    assertThat(server.list(NODES)).hasSize(1);
    follow("&allowWatchBookmarks=true&resourceVersion=" + later);
    world.run(Duration.ofSeconds(1));
    server.put(node("c")); // has the version that b had
    world.run(Duration.ofSeconds(1));
    expect();
    server.put(node("d"));
    world.run(Duration.ofSeconds(1));
    expect("4.0 ADDED d");
  }

  @Test
  @DisplayName("after a restore, the control plane looks after the restored objects")
  void restoredGarbage() {
    ObjectNode owner = server.put(node("a"));
    SimulatedApiServer.Snapshot backup = server.snapshot();
    server.put(
        object(
            "{'apiVersion':'v1','kind':'Secret','metadata':{'name':'s',"
                + "'ownerReferences':[{'apiVersion':'v1','kind':'Node','name':'a','uid':'%s'}]}}"
                    .formatted(owner.at("/metadata/uid").asText())));
    SimulatedApiServer.Snapshot later = server.snapshot();
    server.restore(backup);
    server.delete(NODE);
    world.run(Duration.ofSeconds(1));
    server.restore(later);
    assertThat(server.get("/api/v1/namespaces/default/secrets/s").isMissingNode()).isFalse();
    server.delete(NODE);
    world.run(Duration.ofSeconds(1));
    assertThat(server.get("/api/v1/namespaces/default/secrets/s").isMissingNode()).isTrue();
  }

  @Test
  @DisplayName("pages of a list are those of its first version, until it is forgotten")
  void pages() {
    for (String name : List.of("a", "b", "c")) {
      server.put(node(name));
    }
    JsonNode first = read(NODES + "?limit=1");
    server.delete(NODES + "/b");
    server.put(node("bb"));
    JsonNode second = read(NODES + "?limit=2&continue=" + first.at("/metadata/continue").asText());
    assertThat(second.findValuesAsText("name")).containsExactly("b", "c");
    assertThat(second.at("/metadata/resourceVersion"))
        .isEqualTo(first.at("/metadata/resourceVersion"));
    server.compact();
    Reply expired =
        server.request(
            "test",
            "GET",
            NODES + "?limit=2&continue=" + first.at("/metadata/continue").asText(),
            "",
            "");
    assertThat(expired.code()).isEqualTo(410);
    assertThat(expired.body().path("reason").asText()).isEqualTo("Expired");
  }

  private JsonNode read(String path) {
    return server.request("test", "GET", path, "", "").body();
  }

  @Test
  @DisplayName("garbage, emptied namespaces and old events are deleted, each by its controller")
  void controlPlane() {
    server.onWrite(write -> saw(write.process() + " " + write.verb() + " " + name(write)));
    ObjectNode owner = server.put(node("a"));
    server.put(
        object(
            "{'apiVersion':'v1','kind':'Secret','metadata':{'name':'s','namespace':'other',"
                + "'ownerReferences':[{'apiVersion':'v1','kind':'Node','name':'a','uid':'%s'}]}}"
                    .formatted(owner.at("/metadata/uid").asText())));
    world.run(Duration.ofSeconds(1));
    expect("0.0 world create a", "0.0 world create other", "0.0 world create s");
    server.delete(NODE);
    world.run(Duration.ofSeconds(1));
    expect("1.0 world delete a", "1.2 garbage-collector delete s");
    server.put(
        object(
            "{'apiVersion':'v1','kind':'Event','metadata':{'name':'e','namespace':'default'},"
                + "'involvedObject':{'kind':'Node','name':'a'}}"));
    world.run(Duration.ofHours(1));
    expect("2.0 world create e", "3602.0 etcd delete e");
    server.put(
        object(
            "{'apiVersion':'v1','kind':'Secret','metadata':"
                + "{'name':'t','namespace':'other','finalizers':['example.io/f']}}"));
    seen.clear();
    server.delete("/api/v1/namespaces/other");
    ask(api -> api.create("/api/v1/namespaces/other/secrets", object("{'metadata':{'name':'u'}}")));
    world.run(Duration.ofSeconds(2));
    server.patch("/api/v1/namespaces/other/secrets/t", "{\"metadata\":{\"finalizers\":null}}");
    world.run(Duration.ofSeconds(2));
    assertThat(server.get("/api/v1/namespaces/other").isMissingNode()).isTrue();
    assertThat(seen)
        .anyMatch(line -> line.contains("403") && line.contains("being terminated"))
        .last()
        .asString()
        .endsWith("namespace-controller delete other");
  }

  private static String name(ApiWrite write) {
    ObjectNode object = write.after() == null ? write.before() : write.after();
    return object == null ? "" : object.at("/metadata/name").asText();
  }

  @Test
  @DisplayName("a budget's status follows its pods, and evictions spend from it")
  void budgets() {
    for (String name : List.of("p", "q")) {
      server.put(
          object(
              "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'%s','labels':{'app':'x'}},"
                      .formatted(name)
                  + "'spec':{'nodeName':'a'},'status':{'phase':'Running',"
                  + "'conditions':[{'type':'Ready','status':'True'}]}}"));
    }
    server.put(
        object(
            "{'apiVersion':'policy/v1','kind':'PodDisruptionBudget','metadata':{'name':'b'},"
                + "'spec':{'maxUnavailable':'50%','selector':{'matchLabels':{'app':'x'}}}}"));
    world.run(Duration.ofSeconds(1));
    for (String name : List.of("p", "q")) {
      ask(api ->
          api.create(
              "/api/v1/namespaces/default/pods/%s/eviction".formatted(name),
              object("{'metadata':{'name':'%s'}}".formatted(name))));
    }
    world.run(Duration.ofSeconds(1));
    assertThat(seen.getFirst()).isEqualTo("1.0 done");
    assertThat(seen.getLast())
        .contains("429 Cannot evict pod")
        .contains("The disruption budget b needs 1 healthy pods and has");
    JsonNode evicted = server.get("/api/v1/namespaces/default/pods/p");
    assertThat(evicted.at("/metadata/deletionTimestamp").isTextual()).isTrue();
  }

  @Test
  @DisplayName("a custom kind is unknown until its definition is there, and after it is deleted")
  void kinds() {
    String checks = "/apis/remediation.medik8s.io/v1alpha1/nodehealthchecks";
    ask(api -> api.get(checks));
    world.run(Duration.ofSeconds(1));
    expect("0.0 404 the server could not find the requested resource");
    server.serve("NodeHealthCheck");
    ask(api -> api.get(checks));
    world.run(Duration.ofSeconds(1));
    expect("1.0 done");
    server.delete(
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/"
            + "nodehealthchecks.remediation.medik8s.io");
    ask(api -> api.get(checks));
    world.run(Duration.ofSeconds(1));
    expect("2.0 404 the server could not find the requested resource");
  }

  @Test
  @DisplayName("fabric8's typed client reads, patches and times out in virtual time")
  void typed() {
    server.put(node("a"));
    process.start(
        "test",
        () -> {
          KubernetesClient client = access.client();
          Node read = client.nodes().withName("a").get();
          saw(read.getMetadata().getName());
          saw(String.valueOf(client.nodes().withName("b").get()));
          saw(client.nodes().list().getItems().size() + " items");
          saw(client.raw("/healthz"));
          server.faults(_ -> RequestFate.of(new Effect.LostAnswer()));
          try {
            client.nodes().withName("a").get();
          } catch (KubernetesClientException late) {
            saw("late");
          }
        });
    world.run(Duration.ofMinutes(1));
    expect("0.0 a", "0.0 null", "0.0 1 items", "0.0 ok", "10.0 late");
  }

  @Test
  @DisplayName("a closed client fails running and new requests")
  void closed() {
    server.faults(_ -> RequestFate.delayed(Duration.ofSeconds(2), Duration.ofSeconds(2)));
    follow("");
    ask(api -> api.get(NODES));
    world.after(
        Duration.ofSeconds(1),
        () -> {
          access.close();
          ask(api -> api.get(NODES));
        });
    world.run(Duration.ofSeconds(10));
    assertThat(seen).hasSize(3).allMatch(line -> line.contains("client is closed"));
    assertThat(server.watches()).isZero();
  }

  @Test
  @DisplayName("a killed process receives nothing, and its watches end")
  void killed() {
    follow("");
    world.run(Duration.ofSeconds(1));
    assertThat(server.watches()).isEqualTo(1);
    process.kill();
    server.put(node("a"));
    world.run(Duration.ofSeconds(1));
    expect();
    assertThat(server.watches()).isZero();
  }
}
