package io.probelet.web.page.node;

import static io.probelet.web.Snapshots.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.health.ManualClock;
import io.probelet.monitor.node.NodeSnapshot;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.probe.engine.ProbeSnapshot;
import io.probelet.probe.engine.ProbeSnapshot.Outcome;
import io.probelet.probe.runtime.ContainerDetails;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.Termination;
import io.probelet.web.Snapshots;
import io.probelet.web.api.ContainerView;
import io.probelet.web.http.Containers;
import io.probelet.web.http.Resource.Answer;
import io.probelet.web.http.Resource.BadRequest;
import io.probelet.web.http.WatchedNode;
import io.probelet.web.page.Fragment;
import io.probelet.web.page.PageHeader;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The node's page as it is answered. */
class NodePageTest {
  private static final String EVIL = "</article><script>alert(1)</script>\" onload=\"x";

  private static final List<ContainerSnapshot> SHOP =
      List.of(
          Snapshots.running(
              "shop", "web", "nginx", Snapshots.succeeding(ProbeKind.READINESS, "tcpSocket")),
          Snapshots.running(
              "shop", "db", "main", Snapshots.failing(ProbeKind.LIVENESS, "httpGet", EVIL)),
          Snapshots.container(
              "shop",
              "db",
              "aardvark",
              ContainerObservation.waiting("x", 4, "CrashLoopBackOff"),
              false,
              false,
              Snapshots.succeeding(ProbeKind.READINESS, "tcpSocket"),
              Snapshots.untried(ProbeKind.STARTUP, "exec")),
          Snapshots.container(
              "shop",
              "api",
              "slow",
              ContainerObservation.running("proc://slow", NOON, 0),
              false,
              false,
              Snapshots.untried(ProbeKind.STARTUP, "exec")));

  private static final PageHeader HEADER = new PageHeader(Optional.of("worker-1"), "1.2.3");

  private final ManualClock clock = new ManualClock(NOON.plusSeconds(10));
  private List<ContainerSnapshot> containers = SHOP;
  private CompletableFuture<NodeSnapshot> node =
      CompletableFuture.completedFuture(NodeSnapshot.NONE);

  private NodePage page() {
    return new NodePage(
        new Containers((_, which) ->
            CompletableFuture.completedFuture(
                containers.stream()
                    .filter(each -> which.test(each.status().pod(), each.status().name()))
                    .toList())),
        watched(),
        HEADER,
        clock);
  }

  private WatchedNode watched() {
    return new WatchedNode(() -> node, NodeSectionTest::agent, clock);
  }

  @Test
  @DisplayName("Broken containers come first, healthy ones are folded, and each leads to its page")
  void order() throws Exception {
    assertThat(text(page().get(Map.of())))
        .contains("<p id=\"summary\">2 of 4 containers ready")
        .containsSubsequence(
            "id=\"c-shop/db/aardvark\"",
            "<b class=\"failed\">not running</b> · CrashLoopBackOff · 4 restarts",
            "id=\"c-shop/db/main\"",
            "<b class=\"warning\">ready, but a probe fails</b>",
            "failed 2/3",
            "id=\"c-shop/api/slow\"",
            "<b class=\"unknown\">starting</b>",
            "id=\"c-shop/web/nginx\"",
            "href=\"container?pod=shop/web&amp;container=nginx\"",
            "<b class=\"good\">ready</b> · Running · 1 restart",
            "<details><summary>1 probe</summary>");
  }

  @Test
  @DisplayName(
      "The node's problems come before the containers, what is healthy and the agent's cost after")
  void node() throws Exception {
    Condition sick = new Condition("Sick", ConditionStatus.TRUE, NOON, NOON, "Bad", "x", List.of());
    Condition well =
        new Condition("Well", ConditionStatus.FALSE, NOON, NOON, "Good", "y", List.of());
    NodeSnapshot none = NodeSnapshot.NONE;
    node =
        CompletableFuture.completedFuture(
            new NodeSnapshot(
                List.of(well, sick),
                Map.of(),
                none.specs(),
                none.events(),
                none.problemCounts(),
                none.problems(),
                none.sources(),
                0));
    assertThat(text(page().get(Map.of())))
        .containsSubsequence(
            "id=\"node-problems\"",
            ">Sick<",
            "id=\"containers\"",
            "<article",
            "id=\"node-conditions\"",
            ">Well<",
            "id=\"node-agent\"");
    node = CompletableFuture.failedFuture(new IllegalStateException("closed"));
    assertThat(text(page().get(Map.of())))
        .containsSubsequence("Node unknown: ", "internal error", "id=\"containers\"", "<article")
        .doesNotContain("id=\"node-agent\"", "closed", "Exception");
  }

  @Test
  @DisplayName("A probe has its strip, its latencies, its last time and what went wrong last")
  void probes() throws Exception {
    assertThat(text(page().get(Map.of("q", List.of("nginx")))))
        .containsSubsequence(
            "<span>readiness tcpSocket</span>",
            "Success",
            "last 3: 2 good, 1 failed, newest good",
            "<span class=\"failed\">✕</span><span class=\"good\">●●</span>",
            "<svg class=\"spark\"",
            "timeout 1000 ms",
            "class=\"limit\"",
            ">6s ago</time>, 1.23 ms, succeeded 7 in a row · next <time",
            ">in 3s</time>",
            "failed <time",
            ">9s ago</time>: HTTP probe failed with statuscode: 500");
  }

  @Test
  @DisplayName("A broken container comes before 600 healthy ones, with its cause")
  void brokenFirst() throws Exception {
    containers =
        new ArrayList<>(
            IntStream.range(0, 600).mapToObj(i -> Snapshots.running("n", "p" + i, "c")).toList());
    Termination last = new Termination(139, 0, "Error", "<b>\u202e\"x", NOON);
    containers.add(
        Snapshots.container(
            "z",
            "crash",
            "c",
            ContainerObservation.waiting("id", 3, "CrashLoopBackOff")
                .with(new ContainerDetails("back-off 10s", last, "/var/log/c.log")),
            false,
            false));
    String all = text(page().get(Map.of()));
    assertThat(all.substring(all.indexOf("<article")))
        .containsSubsequence(
            "c-z/crash/c",
            "CrashLoopBackOff",
            "&quot;back-off 10s&quot; · last terminated with exit code 139 (SIGSEGV), <time",
            "</time>: &quot;&lt;b&gt;\\&quot;x&quot; · log <code>/var/log/c.log</code>",
            "c-n/p0/c")
        .contains("and 101 more, all healthy");
  }

  @Test
  @DisplayName("A header names node and version, and the first line is the verdict")
  void verdict() throws Exception {
    assertThat(text(page().get(Map.of())))
        .containsSubsequence(
            "<h1>Node worker-1</h1>",
            "Probelet 1.2.3",
            "<p id=\"verdict\" class=\"verdict failed\">",
            " 1 of 4 containers not ready; 1 of 4 containers with a warning;"
                + " 1 of 4 containers starting or unknown</p>");
    containers = List.of(Snapshots.running("n", "p", "c"));
    assertThat(text(page().get(Map.of())))
        .contains("class=\"verdict good\"", " 1 container healthy</p>");
    node = CompletableFuture.failedFuture(new IllegalStateException("closed"));
    assertThat(text(page().get(Map.of())))
        .as("never healthy when the node could not be asked")
        .contains("class=\"verdict unknown\"", " 1 container healthy; node unknown</p>");
  }

  @Test
  @DisplayName("Nothing a target or a pod's author writes becomes markup")
  void hostile() throws Exception {
    containers =
        List.of(
            Snapshots.running(
                "sh\"op", "<b>", "a b", Snapshots.failing(ProbeKind.LIVENESS, "httpGet", EVIL)));
    String all = text(page().get(Map.of("q", List.of("<B>"))));
    assertThat(all)
        .contains("value=\"&lt;B&gt;\"")
        .contains("href=\"container?pod=sh%22op/%3Cb%3E&amp;container=a+b\"")
        .contains("&lt;script&gt;alert(1)&lt;/script&gt;&quot; onload=&quot;x")
        .doesNotContain("<script>")
        .doesNotContain("<b>")
        .doesNotContain("onload=\"");
    assertThat(all.split("<script", -1)).as("the page's own script").hasSize(2);
  }

  @Test
  @DisplayName("A message is cut, however long it is")
  void longMessages() throws Exception {
    containers =
        List.of(
            Snapshots.running(
                "shop",
                "db",
                "main",
                Snapshots.failing(ProbeKind.LIVENESS, "httpGet", "y".repeat(10_000))));
    assertThat(text(page().get(Map.of())))
        .contains("y".repeat(199) + "…")
        .doesNotContain("y".repeat(200));
  }

  @ParameterizedTest
  @CsvSource({
    "q,    nginx,            c-shop/web/nginx",
    "q,    SHOP/DB crash,    c-shop/db/aardvark",
    "q,    httpget,          c-shop/db/main",
    "q,    not running,      c-shop/db/aardvark",
    "q,    nothing,          ''",
    "show, unwell,           c-shop/db/aardvark c-shop/db/main c-shop/api/slow",
    "show, all,              c-shop/db/aardvark c-shop/db/main c-shop/api/slow c-shop/web/nginx",
    "from, 3,                c-shop/web/nginx",
    "from, 99999,            ''",
  })
  @DisplayName("A filter and a search are in the address, of the page and of its stream")
  void filters(String name, String value, String keys) throws Exception {
    String all = text(page().get(Map.of(name, List.of(value))));
    List<String> shown =
        java.util.regex.Pattern.compile("<article [^>]*id=\"([^\"]+)\"")
            .matcher(all)
            .results()
            .map(found -> found.group(1))
            .toList();
    assertThat(String.join(" ", shown)).isEqualTo(keys);
    if (!value.equals("all")) {
      assertThat(all).contains("data-live=\"live?" + name + "=");
    }
    if (keys.isEmpty() && name.equals("q")) {
      assertThat(all).contains("No container matches the filter.");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "show, some, 'show must be all or unwell, found some'",
    "from, -1,   'from must be an offset from 0 to 99999, found -1'",
    "from, 123456, 'from must be an offset from 0 to 99999, found 123456'",
  })
  void filtersThatMakeNoSense(String name, String value, String message) {
    assertThatThrownBy(() -> page().get(Map.of(name, List.of(value))))
        .isInstanceOf(BadRequest.class)
        .hasMessage(message);
    assertThatThrownBy(() -> page().get(Map.of("q", List.of("x".repeat(101)))))
        .hasMessage("q must have at most 100 characters, found 101");
  }

  @Test
  @DisplayName("A node without containers has an empty list")
  void empty() throws Exception {
    containers = List.of();
    assertThat(text(page().get(Map.of())))
        .contains("0 of 0 containers ready", "<p id=\"others\">No containers.</p>");
  }

  @Test
  @DisplayName("More than 500 containers are several lists")
  void many() throws Exception {
    containers =
        IntStream.range(0, 1100).mapToObj(i -> Snapshots.running("n", "p" + i, "c")).toList();
    assertThat(text(page().get(Map.of())))
        .contains("<a href=\"./?from=500\">and 600 more, all healthy</a>")
        .satisfies(all -> assertThat(all.split("<article", -1)).hasSize(501));
    assertThat(text(page().get(Map.of("from", List.of("1000"), "q", List.of("n/p")))))
        .contains("<a href=\"./?q=n%2Fp&amp;from=500\">1000 more before</a>")
        .satisfies(all -> assertThat(all.split("<article", -1)).hasSize(101));
  }

  @Test
  @DisplayName("Histories are asked for of those that are drawn alone")
  void histories() throws Exception {
    List<ContainerSnapshot> seen = new ArrayList<>();
    NodePage page =
        new NodePage(
            new Containers((wanted, which) -> {
              List<ContainerSnapshot> found =
                  containers.stream()
                      .filter(each -> which.test(each.status().pod(), each.status().name()))
                      .toList();
              if (wanted.outcomes() == 60) {
                seen.addAll(found);
              } else {
                assertThat(wanted.outcomes()).isEqualTo(1);
              }
              return CompletableFuture.completedFuture(found);
            }),
            watched(),
            HEADER,
            clock);
    assertThat(page.get(Map.of("q", List.of("nginx"))).status()).isEqualTo(200);
    assertThat(seen).hasSize(1);
  }

  @Test
  @DisplayName("A page without scripts is loaded again every 10 s, and has all it needs")
  void withoutScripts() throws Exception {
    assertThat(text(page().get(Map.of())))
        .contains("<noscript><meta http-equiv=\"refresh\" content=\"10\"/></noscript>")
        .contains("<form class=\"filter\" role=\"search\" data-filter action=\"./\">")
        .contains("<a href=\"metrics\">");
  }

  @ParameterizedTest
  @CsvSource({
    // among many, what goes on well is drawn again every 10 s; each difference is seen at once
    "60, SUCCESSFUL,  1, false",
    "60, SUCCESSFUL, 10, true",
    "60, WARNING,     0, true",
    "60, FAILED,      0, true",
    "60, ERROR,       0, true",
    "40, SUCCESSFUL,  1, true",
    "40, SUCCESSFUL,  0, false",
  })
  @DisplayName("A container is drawn again when there is something to see")
  void versions(int containers, Outcome next, int later, boolean again) {
    Object before = version(containers, Outcome.SUCCESSFUL, NOON);
    Object after = version(containers, next, NOON.plusSeconds(later));
    assertThat(!after.equals(before)).isEqualTo(again);
  }

  private static Object version(int containers, Outcome outcome, Instant at) {
    ProbeSnapshot probe =
        new ProbeSnapshot(
            ProbeKind.LIVENESS,
            Snapshots.spec("exec"),
            ProbeResult.SUCCESS,
            ProbeResult.SUCCESS,
            1,
            at,
            Duration.ofMillis(1),
            "ok",
            ProbeSnapshot.Obstacle.NONE,
            at.plusSeconds(10),
            List.of(Snapshots.entry(at, outcome, "ok")),
            null,
            null,
            null);
    List<ContainerView> views =
        IntStream.range(0, containers)
            .mapToObj(i -> ContainerView.of(Snapshots.running("n", "p" + i, "c", probe), 1))
            .toList();
    List<Fragment> fragments =
        new ContainerFragments(views, ContainerFilter.ALL, "", NOON)
            .list(
                new ContainerFragments.Histories() {
                  @Override
                  public void announce(ContainerView container) {}

                  @Override
                  public ContainerView of(ContainerView container) {
                    return container;
                  }
                });
    return fragments.getFirst().version();
  }

  private static String text(Answer answer) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    answer.body().writeTo(out);
    return out.toString(StandardCharsets.UTF_8);
  }
}
