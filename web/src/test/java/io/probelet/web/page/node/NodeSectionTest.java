package io.probelet.web.page.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.web.api.AgentView;
import io.probelet.web.api.GuardView;
import io.probelet.web.api.GuardView.HoldView;
import io.probelet.web.api.ManifestsView;
import io.probelet.web.api.ManifestsView.InvalidFileView;
import io.probelet.web.api.NodeView;
import io.probelet.web.api.NodeView.Change;
import io.probelet.web.api.NodeView.ConditionView;
import io.probelet.web.api.NodeView.EventView;
import io.probelet.web.api.NodeView.Evidence;
import io.probelet.web.api.NodeView.Source;
import io.probelet.web.page.Fragment;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NodeSectionTest {
  private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");
  private static final String EVIL = "</td><script>alert(1)</script>\" onload=\"x";
  private static final ConditionView WELL =
      new ConditionView("DiskFull", "False", "HasRoom", "room", ago(7_200));

  /** An agent that works. */
  static AgentView agent() {
    return agent("", null);
  }

  private static AgentView agent(String trouble, @Nullable GuardView guard) {
    return new AgentView(
        "1.2",
        ago(3_600),
        trouble,
        new AgentView.Cpu(41.23, 0.44, 60),
        new AgentView.Memory(120 << 20, 20 << 20, 64 << 20),
        71L,
        List.of(new AgentView.Queue("names", 0, 16L), new AgentView.Queue("probes", 2, null)),
        List.of(new AgentView.Loop("0", 0.09, 1.4)),
        new AgentView.Stalls(1, 2.4, ago(600), 12),
        guard,
        null);
  }

  private static String ago(long seconds) {
    return NOON.minusSeconds(seconds).toString();
  }

  private static NodeView node(@Nullable AgentView agent, ConditionView... conditions) {
    return new NodeView(
        List.of(conditions), List.of(), List.of(), List.of(), NOON.toString(), agent);
  }

  private static String html(NodeView node) {
    return NodeSection.of(node, NOON).stream()
        .map(fragment -> fragment.html().get().toString())
        .collect(Collectors.joining("\n"));
  }

  private static ConditionView flapping(int changes) {
    List<Change> history = new ArrayList<>();
    for (int change = changes; change >= 0; change--) {
      String status = change % 2 == 0 ? "False" : "True";
      history.add(new Change(ago(change * 120L), status, "Carrier", "eth0"));
    }
    return new ConditionView(
        "LinkDown", "True", "Flapping", "changed often", ago(1_700), changes, List.of(), history);
  }

  @Test
  @DisplayName(
      "B-18 a condition that flaps is seen: how often, each minute of the hour, each change")
  void flaps() {
    assertThat(html(node(null, WELL, flapping(14))))
        .containsSubsequence(
            "<th scope=\"row\">LinkDown</th>",
            "<td class=\"failed\"><span class=\"failed\" aria-hidden=\"true\">✕</span> True",
            ">28m20s ago</time>",
            "<span class=\"strip\" role=\"img\" aria-label=\"last 60: ",
            "<span class=\"unknown\">" + "·".repeat(32) + "</span>",
            "flaps: changed 14 times in the last hour",
            "<b>Flapping</b> changed often",
            "<summary>last 15 changes</summary>",
            ">0s ago</time>: Carrier, eth0",
            ">2m0s ago</time>: Carrier, eth0",
            "<th scope=\"row\">DiskFull</th>");
    assertThat(html(node(null, flapping(59)))).contains("changed 59 or more times");
    assertThat(html(node(null, flapping(2)))).doesNotContain("times in the last hour");
  }

  @Test
  @DisplayName("B-18 what holds says which monitor found it, on which device and since when")
  void evidence() {
    ConditionView readOnly =
        new ConditionView(
            "ReadonlyFilesystem",
            "True",
            "ReadOnly",
            "sda1 is read-only",
            ago(90),
            1,
            List.of(
                new Evidence("kernel-monitor", "ReadOnly", "sda1", "sda1 is read-only", ago(90)),
                new Evidence("mounts", "ReadOnly", "", "2 mounts", ago(30))),
            List.of(
                new Change(ago(7_200), "False", "Writable", ""),
                new Change(ago(90), "True", "ReadOnly", "")));
    assertThat(html(node(null, readOnly)))
        .containsSubsequence(
            "last 60: 58 good, 2 failed, newest failed",
            "kernel-monitor found <b>ReadOnly</b> on sda1, since <time",
            ">1m30s ago</time></li>",
            "mounts found <b>ReadOnly</b>, since <time",
            ">30s ago</time>: 2 mounts</li>");
  }

  @Test
  @DisplayName(
      "Monitors that do not work are named with their reason, apart from healthy conditions")
  void cannotBeObserved() {
    NodeView node =
        new NodeView(
            List.of(WELL, new ConditionView("Clock", "Unknown", "NotObserved", "", ago(5))),
            List.of(
                new EventView(ago(50), "kernel", "Older", "first"),
                new EventView(ago(40), "kernel", "Newer", "second")),
            List.of(
                new Source("units", "unavailable", "not-there", "no D-Bus", 0, 0, 0, 0, 0, 0),
                new Source("fine", "running", "", "", 1, 0, 0, 0, 0, 0),
                new Source("dns", "failing", "", "no answer", 1, 0, 0, 0, 0, 0)),
            List.of("KernelDeadlock"),
            NOON.toString(),
            null);
    assertThat(NodeSection.pressing(node, NOON))
        .extracting(Fragment::key)
        .containsExactly("node-problems");
    assertThat(html(node))
        .containsSubsequence(
            "<th scope=\"row\">Clock</th>",
            "·</span> Unknown",
            "<th scope=\"row\">DiskFull</th>",
            "Not known yet: KernelDeadlock",
            "<th scope=\"row\">dns</th>",
            "no answer",
            "<th scope=\"row\">units</th>",
            "no D-Bus",
            "Newer",
            "Older")
        .doesNotContain(">fine<");
    assertThat(NodeSection.pressing(node(null, WELL), NOON)).isEmpty();
    assertThat(NodeSection.of(NodeView.NONE, NOON)).isEmpty();
  }

  @Test
  @DisplayName("The agent's resource usage and its restarts on hold are shown in numbers")
  void agentItself() {
    HoldView hold = new HoldView("shop", "6 of 10 turned unhealthy", ago(30), ago(-90), true);
    HoldView spent = new HoldView("", "the node is starved", ago(300), ago(180), false);
    GuardView guard =
        new GuardView(true, "", List.of(hold, spent), Map.of("guard", 6L, "back_off", 0L));
    NodeView node = node(agent("event loop 0: no answer within 700 ms", guard), WELL);
    assertThat(NodeSection.of(node, NOON))
        .extracting(Fragment::key)
        .containsExactly("node-agent-alerts", "node-conditions", "node-agent");
    assertThat(html(node))
        .containsSubsequence(
            "Agent is not making progress: event loop 0: no answer within 700 ms",
            "Restarts in namespace shop on hold: 6 of 10 turned unhealthy; ends ",
            ">in 1m30s</time> or earlier; since ",
            ">30s ago</time>",
            "All restarts allowed again, although the problem persists: the node is starved; since ",
            "1.2, started <time",
            "0.4 % of a core over 1m0s, 41 s in total",
            "120 MiB in RAM; heap 20 of 64 MiB",
            "71",
            "names 0 of 16, probes 2",
            "loop 0 start lag: avg 0.09 ms, max 1.4 ms",
            "1 since start, 2.4 s in total; 12 probes discarded; last <time",
            "restarts on hold",
            "guard 6");
    GuardView starved = new GuardView(true, "the node is starved", List.of(), Map.of());
    assertThat(html(node(agent("", starved))))
        .contains(
            "Guard active, restarts on hold: the node is starved", "no restarts on hold", "none");
    assertThat(NodeSection.pressing(node(agent()), NOON)).isEmpty();
  }

  @Test
  @DisplayName("A fragment is sent again when there is something to see, and once a minute")
  void versions() {
    List<Object> before = versions(NOON);
    assertThat(versions(NOON.plusSeconds(59))).isEqualTo(before);
    assertThat(versions(NOON.plusSeconds(60))).isNotEqualTo(before);
  }

  private static List<Object> versions(Instant now) {
    return NodeSection.of(node(agent(), WELL), now).stream()
        .<Object>map(Fragment::version)
        .toList();
  }

  @Test
  @DisplayName("Equal events are one row with how often and since when")
  void equalEvents() {
    NodeView node =
        new NodeView(
            List.of(),
            List.of(
                new EventView(ago(90), "kernel", "OOMKilling", "java"),
                new EventView(ago(80), "kernel", "Other", "x"),
                new EventView(ago(70), "kernel", "OOMKilling", "java"),
                new EventView(ago(10), "kernel", "OOMKilling", "java")),
            List.of(),
            List.of(),
            NOON.toString(),
            null);
    assertThat(html(node))
        .containsSubsequence(">10s ago</time>, 3 times since <time", ">1m30s ago</time>", "Other")
        .containsOnlyOnce("OOMKilling");
  }

  @Test
  void namesInvalidManifestsAboveTheContainers() {
    AgentView well = agent();
    AgentView agent =
        new AgentView(
            well.version(),
            well.startTime(),
            "",
            well.cpu(),
            well.memory(),
            well.openFiles(),
            well.queues(),
            well.loops(),
            well.stalls(),
            null,
            new ManifestsView(
                List.of(
                    new InvalidFileView(
                        "/pods/<a>.yaml", 4, 9, "spec.x", "is odd", 2, "LastValid", ago(60))),
                3));
    assertThat(html(node(agent, WELL)))
        .contains("Invalid manifest: /pods/&lt;a&gt;.yaml:4:9: spec.x: is odd (1 of 2 errors)")
        .contains("the last valid version keeps running")
        .contains("3 more invalid manifests");
  }

  @Test
  @DisplayName("Whatever an agent answers is text, and bounded")
  void hostile() {
    String longText = EVIL + "x".repeat(100_000);
    List<Change> changes =
        IntStream.range(0, 10_000)
            .mapToObj(i -> new Change(longText, EVIL, EVIL, longText))
            .toList();
    List<Evidence> evidence =
        IntStream.range(0, 1_000)
            .mapToObj(i -> new Evidence(EVIL, EVIL, EVIL, longText, "+999999999-01-01T00:00:00Z"))
            .toList();
    ConditionView bad =
        new ConditionView(
            longText, longText, longText, longText, longText, Integer.MAX_VALUE, evidence, changes);
    HoldView hold = new HoldView(EVIL, longText, longText, EVIL, true);
    Map<String, Long> kept =
        IntStream.range(0, 1_000).boxed().collect(Collectors.toMap(i -> EVIL + i, _ -> 1L));
    AgentView agent =
        new AgentView(
            longText,
            longText,
            longText,
            new AgentView.Cpu(Double.NaN, Double.POSITIVE_INFINITY, 1e300),
            new AgentView.Memory(Long.MAX_VALUE, Long.MIN_VALUE, 0),
            -1L,
            IntStream.range(0, 1_000).mapToObj(i -> new AgentView.Queue(EVIL, i, null)).toList(),
            IntStream.range(0, 1_000)
                .mapToObj(i -> new AgentView.Loop(EVIL, Double.NaN, Double.NEGATIVE_INFINITY))
                .toList(),
            new AgentView.Stalls(-5, Double.NaN, EVIL, -1),
            new GuardView(
                true, longText, IntStream.range(0, 500).mapToObj(_ -> hold).toList(), kept),
            new ManifestsView(
                IntStream.range(0, 500)
                    .mapToObj(
                        _ -> new InvalidFileView(longText, -1, -1, EVIL, longText, -1, EVIL, EVIL))
                    .toList(),
                Integer.MAX_VALUE));
    NodeView node =
        new NodeView(
            IntStream.range(0, 300).mapToObj(_ -> bad).toList(),
            IntStream.range(0, 300)
                .mapToObj(i -> new EventView(EVIL, EVIL, EVIL, i + longText))
                .toList(),
            IntStream.range(0, 300)
                .mapToObj(_ -> new Source(EVIL, EVIL, EVIL, longText, 0, 0, 0, 0, 0, 0))
                .toList(),
            IntStream.range(0, 10_000).mapToObj(_ -> longText).toList(),
            EVIL,
            agent);
    String html = html(node);
    assertThat(html).doesNotContain("<script").doesNotContain("\" onload=\"");
    assertThat(html).contains("and 200 more", "changed 2147483647 or more times");
    assertThat(html.length()).isLessThan(40_000_000);
  }
}
