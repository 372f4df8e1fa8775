package io.probelet.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.probelet.fleet.terminal.Colours;
import io.probelet.fleet.terminal.Terminal;
import io.probelet.web.api.ContainerView;
import io.probelet.web.http.HttpEndpoint;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.http.Resource;
import io.probelet.web.http.Resource.Answer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** {@code probelet top} and {@code probelet events} against a real endpoint. */
@Timeout(60)
class LatelyCommandsTest {
  private static final String STEADY =
      container("steady", "successful 1.0, successful 2.0, successful 3.0");
  private static final String FAILING = container("failing", "successful 1, failed 5, failed 6");
  private static final String FLAPPING =
      container(
          "flapping", "failed 1, successful 2, error 0, successful 2, failed 3, successful 9");
  private static final String BLIND = container("blind", "error 0, error 0, error 5000");
  private static final String SLOW = container("slow", "successful 900, successful 950");

  private static final Terminal FILE = new Terminal(false, Colours.NONE, 0);

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final IoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private HttpEndpoint endpoint;
  private String events = "";

  @AfterEach
  void close() {
    if (endpoint != null) {
      endpoint.close();
    }
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private static String container(String pod, String outcomes) {
    List<String> given = List.of(outcomes.split(", ", -1));
    StringBuilder history = new StringBuilder();
    for (int i = 0; i < given.size(); i++) {
      String[] words = given.get(i).split(" ", -1);
      history.append(
          "%s{\"time\":\"2026-11-22T12:00:%02dZ\",\"result\":\"%s\",\"latencyMs\":%s,\"message\":\"m%d\"}"
              .formatted(i == 0 ? "" : ",", 10 * i, words[0], words[1], i));
    }
    return """
    {"namespace":"default","pod":"%s","container":"c","id":"x","state":"Running","ready":true,
    "started":true,"restartCount":0,"startedAt":null,"nextStart":null,"probes":[{"kind":
    "liveness","handler":"httpGet","result":"Success","lastOutcome":null,"consecutive":1,
    "threshold":3,"periodMs":10000,"timeoutMs":1000,"nextProbe":null,"waitsFor":null,
    "lastProbe":null,"lastLatencyMs":null,"message":"","history":[%s]}]}\
    """
        .formatted(pod, history);
  }

  private void serve(String events, String... containers) throws IOException {
    LinkedHashMap<String, Resource> resources = new LinkedHashMap<>();
    String list = List.of(containers).stream().collect(Collectors.joining(",", "[", "]"));
    resources.put("/api/v1/events", _ -> Answer.of(200, Resource.JSON, "[" + this.events + "]"));
    resources.put("/api/v1/containers", _ -> Answer.of(200, Resource.JSON, list));
    resources.put(
        "/api/v1/node",
        _ ->
            Answer.of(
                200,
                Resource.JSON,
                "{\"conditions\":[],\"events\":[" + events + "],\"sources\":[]}"));
    endpoint = new HttpEndpoint(new ListenAddress("127.0.0.1", 0), loops, resources, Set::of);
  }

  private List<String> run(Object command, String... arguments) {
    String[] all = new String[arguments.length + 2];
    all[0] = "--address";
    all[1] = endpoint == null ? "127.0.0.1:1" : endpoint.address().toString();
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    new CommandLine(command)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(all);
    return out.toString().lines().toList();
  }

  @Test
  @DisplayName("lists the worst first: failing, flapping, slow")
  void trouble() throws IOException {
    serve("", STEADY, FAILING, FLAPPING, SLOW, BLIND);
    List<String> lines = run(new TopCommand());
    assertThat(lines.getFirst())
        .matches(
            "POD +CONTAINER +PROBE +RESULT +FAILED +ERRORS +CHANGES +MEDIAN +MAX +TIMEOUT +LAST.*");
    assertThat(lines.subList(1, 6))
        .satisfiesExactly(
            line -> assertThat(line).containsPattern("default/blind.* 0 of 0 +3 +0 +0.0 ms.* m2"),
            line -> assertThat(line).contains("default/failing", "2 of 3", "5.0 ms", "m2"),
            line -> assertThat(line).contains("default/flapping", "2 of 5", "m4"),
            line -> assertThat(line).contains("default/slow", "0 of 2", "900 ms", "950 ms!"),
            line -> assertThat(line).contains("default/steady", "2.0 ms", "3.0 ms ", "1000 ms"));
  }

  /** Attack: the histories of one namespace fill an answer of their own. */
  @Test
  void largeNamespaceDoesNotHideOthers() throws IOException {
    String noisy = pods("noisy", 3_000, "failed 1");
    serveByNamespace(Map.of("noisy", noisy, "default", FAILING));
    assertThat(run(new TopCommand(), "--rows", "2"))
        .satisfiesExactly(
            header -> assertThat(header).startsWith("POD"),
            row -> assertThat(row).contains("noisy/"),
            row -> assertThat(row).contains("noisy/"),
            more -> assertThat(more).startsWith("… 2999 probes not shown"),
            note ->
                assertThat(note)
                    .isEqualTo(
                        "… namespace noisy has too many outcomes: shows the newest 3 of each"
                            + " probe"));
    out.getBuffer().setLength(0);
    assertThat(run(new TopCommand(), "-n", "default"))
        .hasSize(2)
        .last()
        .asString()
        .contains("default/failing", "2 of 3");
  }

  @Test
  void reportsNamespaceWhoseSmallestAnswerIsTooLarge() throws IOException {
    String huge = pods("huge", 200, "failed 1");
    serveByNamespace(Map.of("huge", huge.replace("m59", "m".repeat(50_000)), "default", FAILING));
    assertThat(run(new TopCommand()))
        .hasSize(3)
        .satisfies(lines -> assertThat(lines.get(1)).contains("default/failing"))
        .last()
        .isEqualTo("… namespace huge: the answer is too large, 200 probes not shown");
    run(new TopCommand(), "-o", "json");
    assertThat(err.toString()).contains("200 probes not shown");
  }

  @Test
  void asksForLessPastIfAllOfItIsTooLarge() throws IOException {
    serveByNamespace(Map.of("noisy", pods("noisy", 3_000, "failed 1")));
    List<ContainerView> found =
        new AgentClient(ListenAddress.parse(endpoint.address().toString()))
            .probedAtMost(ContainerView.MAX_HISTORY);
    assertThat(found).hasSize(3_000);
    assertThat(found.getFirst().probes().getFirst().outcomes()).hasSize(7);
  }

  private static String pods(String namespace, int count, String outcome) {
    String history = String.join(", ", Collections.nCopies(ContainerView.MAX_HISTORY, outcome));
    return IntStream.range(0, count)
        .mapToObj(i -> container("p" + i, history).replace("default", namespace))
        .collect(Collectors.joining(","));
  }

  /** As an agent answers the parameters namespace and history. */
  private void serveByNamespace(Map<String, String> containers) throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    LinkedHashMap<String, Resource> resources = new LinkedHashMap<>();
    resources.put(
        "/api/v1/containers",
        query -> {
          String wanted = query.getOrDefault("namespace", List.of("")).getLast();
          int outcomes = Integer.parseInt(query.get("history").getLast());
          String all =
              containers.entrySet().stream()
                  .filter(each -> wanted.isEmpty() || each.getKey().equals(wanted))
                  .map(Map.Entry::getValue)
                  .collect(Collectors.joining(",", "[", "]"));
          JsonNode list = mapper.readTree(all);
          for (JsonNode each : list) {
            ArrayNode history = (ArrayNode) each.path("probes").path(0).path("history");
            while (history.size() > outcomes) {
              history.remove(0);
            }
          }
          return Answer.of(200, Resource.JSON, mapper.writeValueAsString(list));
        });
    endpoint = new HttpEndpoint(new ListenAddress("127.0.0.1", 0), loops, resources, Set::of);
  }

  @Test
  @DisplayName("follows --sort and --rows, also as JSON")
  void orders() throws IOException {
    serve("", STEADY, FAILING, FLAPPING, SLOW);
    assertThat(run(new TopCommand(), "--sort=latency", "--rows=1"))
        .satisfiesExactly(
            header -> assertThat(header).startsWith("POD"),
            row -> assertThat(row).contains("default/slow"),
            more -> assertThat(more).isEqualTo("… 3 probes not shown, 2 with failures or errors"));
    out.getBuffer().setLength(0);
    List<String> json = run(new TopCommand(), "--sort=changes", "--rows=1", "-o", "json");
    JsonNode list = new ObjectMapper().readTree(json.getFirst());
    assertThat(list).hasSize(1);
    assertThat(list.get(0).path("pod").asText()).isEqualTo("flapping");
    assertThat(list.get(0).path("changes").asInt()).isEqualTo(3);
    assertThat(list.get(0).path("failed").asInt()).isEqualTo(2);
    run(new TopCommand(), "--rows=0");
    assertThat(err.toString()).contains("--rows must be from 1 to 10000, not 0");
    out.getBuffer().setLength(0);
    assertThat(run(new TopCommand(), "-n", "default")).hasSize(5);
    out.getBuffer().setLength(0);
    assertThat(run(new TopCommand(), "-n", "50"))
        .containsExactly(
            "No probes in namespace 50. -n is the namespace; --rows limits the number of rows.");
  }

  private static final String OF_CONTAINERS =
      """
      {"time":"2026-11-22T12:00:00.000Z","last":"2026-11-22T14:16:30.123Z","count":817,\
      "namespace":"default","pod":"flapping","container":"c","probe":"liveness",\
      "reason":"ProbeFailed","message":"m0"},
      {"time":"2026-11-22T12:00:30.000Z","last":"2026-11-22T12:00:30.000Z","count":1,\
      "namespace":"default","pod":"flapping","container":"c","probe":"",\
      "reason":"Killing","message":"m1"}\
      """;

  @Test
  @DisplayName("lists events of node and containers in order")
  void events() throws IOException {
    events = OF_CONTAINERS;
    serve(
        "{\"time\":\"2026-11-22T12:00:25Z\",\"source\":\"kernel-monitor\",\"reason\":\"OOMKilling\","
            + "\"message\":\"killed\\u001b[2J\"}");
    assertThat(run(new EventsCommand()).stream().map(line -> line.replaceAll(" +", " ")))
        .containsExactly(
            "TIME LAST COUNT REASON OBJECT MESSAGE",
            "2026-11-22T12:00:00.000Z 14:16:30.123Z 817 ProbeFailed default/flapping/c liveness m0",
            "2026-11-22T12:00:25Z - 1 OOMKilling kernel-monitor killed\\u001b[2J",
            "2026-11-22T12:00:30.000Z - 1 Killing default/flapping/c m1");
    out.getBuffer().setLength(0);
    assertThat(run(new EventsCommand(), "--rows", "1", "-o", "json"))
        .containsExactly(
            "[{\"time\":\"2026-11-22T12:00:00.000Z\",\"last\":\"2026-11-22T14:16:30.123Z\","
                + "\"count\":817,\"reason\":\"ProbeFailed\",\"object\":\"default/flapping/c"
                + " liveness\",\"message\":\"m0\"}]");
    out.getBuffer().setLength(0);
    assertThat(run(new EventsCommand(), "-n", "default"))
        .as("events of the node belong to no namespace")
        .hasSize(3)
        .noneMatch(line -> line.contains("OOMKilling"));
  }

  @Test
  @DisplayName("a watch prints an event once, not again when its count grows")
  void watch() {
    EventRow failed = happening("12:00:00", "12:00:00", 1, "ProbeFailed");
    EventRow killed = happening("12:00:30", "12:00:30", 1, "Killing");
    Set<Object> before = new HashSet<>();
    assertThat(added(List.of(failed, killed), 1, before))
        .hasSize(2)
        .last()
        .asString()
        .contains("Kil");
    assertThat(added(List.of(failed, killed), 1, before)).as("rows count at first").isEmpty();
    EventRow again = happening("12:00:00", "12:00:40", 2, "ProbeFailed");
    assertThat(added(List.of(again, killed), 1, before)).isEmpty();
    EventRow recovered = happening("12:00:50", "12:00:50", 1, "ProbeRecovered");
    assertThat(added(List.of(again, killed, recovered), 1, before))
        .singleElement()
        .asString()
        .contains("ProbeRecovered");
    assertThat(
            EventsCommand.added(
                List.of(failed, happening("12:01:00", "12:01:00", 1, "Killing")),
                1,
                FILE,
                true,
                before))
        .singleElement()
        .asString()
        .startsWith("{\"time\":\"2026-11-22T12:01:00Z\"");
  }

  private static List<String> added(List<EventRow> all, int rows, Set<Object> before) {
    return EventsCommand.added(all, rows, FILE, false, before);
  }

  private static EventRow happening(String time, String last, long count, String reason) {
    String day = "2026-11-22T";
    return new EventRow(day + time + "Z", day + last + "Z", count, reason, "shop/web/c", "m");
  }

  @Test
  @DisplayName("control characters in a hostile agent's names do not reach the terminal")
  void hostileNames() throws IOException {
    serve("", container("a\\u001b[2J\\nb", "failed 1"));
    assertThat(run(new TopCommand()))
        .hasSize(2)
        .last()
        .asString()
        .contains("default/a\\u001b[2J b");
  }

  @Test
  @DisplayName("no probes, no events, and no agent")
  void nothing() throws IOException {
    serve("");
    assertThat(run(new TopCommand())).containsExactly("No probes.");
    out.getBuffer().setLength(0);
    assertThat(run(new EventsCommand())).containsExactly("No events.");
    endpoint.close();
    run(new TopCommand());
    assertThat(err.toString()).contains("no agent at ");
  }
}
