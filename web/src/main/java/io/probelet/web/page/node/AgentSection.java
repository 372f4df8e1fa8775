package io.probelet.web.page.node;

import io.probelet.web.api.AgentView;
import io.probelet.web.api.AgentView.Cpu;
import io.probelet.web.api.AgentView.Memory;
import io.probelet.web.api.AgentView.Queue;
import io.probelet.web.api.GuardView;
import io.probelet.web.api.GuardView.HoldView;
import io.probelet.web.api.ManifestsView;
import io.probelet.web.page.Ago;
import io.probelet.web.page.Fragment;
import io.probelet.web.page.Html;
import io.probelet.web.page.OutcomeStrip.Mark;
import io.probelet.web.page.PageTable;
import io.probelet.web.page.Sparkline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The agent itself: its problems, restarts on hold, and resource usage. */
final class AgentSection {
  private static final double MIB = 1 << 20;
  private static final int MAX_PARTS = 20;

  private final AgentView agent;
  private final Instant now;

  /** A line of the table: name, value, and since when if that is known. */
  private record Fact(String name, String text, String time) {
    Fact(String name, String text) {
      this(name, text, "");
    }
  }

  AgentSection(AgentView agent, Instant now) {
    this.agent = agent;
    this.now = now;
  }

  /** {@return problems that need an operator, if there are any} */
  Optional<Fragment> alerts() {
    GuardView guard = agent.guard();
    List<HoldView> holds = guard == null ? List.of() : guard.holds();
    String starved = guard == null || !holds.isEmpty() ? "" : guard.trouble();
    return agent.trouble().isEmpty()
            && starved.isEmpty()
            && holds.isEmpty()
            && manifests().total() == 0
        ? Optional.empty()
        : Optional.of(
            new Fragment(
                "node-agent-alerts",
                List.of(agent.trouble(), starved, holds, manifests()),
                () -> alerts(starved, holds)));
  }

  private ManifestsView manifests() {
    ManifestsView manifests = agent.manifests();
    return manifests == null ? ManifestsView.VALID : manifests;
  }

  private Html alerts(String starved, List<HoldView> holds) {
    Html html =
        NodeSection.begin("node-agent-alerts", "Needs attention").open("ul", "class", "plain");
    if (!agent.trouble().isEmpty()) {
      line(html, Mark.FAILED, "Agent is not making progress: " + agent.trouble()).close("li");
    }
    manifests().invalid().stream()
        .limit(MAX_PARTS)
        .forEach(file ->
            line(
                    html,
                    file.use().equals("Nothing") ? Mark.FAILED : Mark.WARNING,
                    "Invalid manifest: " + file.text() + "; " + file.consequence() + "; since ")
                .add(Ago.of(file.since(), now))
                .close("li"));
    int more = manifests().total() - Math.min(MAX_PARTS, manifests().invalid().size());
    if (more > 0) {
      line(html, Mark.WARNING, more + " more invalid manifests").close("li");
    }
    if (!starved.isEmpty()) {
      line(html, Mark.WARNING, "Guard active, restarts on hold: " + starved).close("li");
    }
    holds.stream()
        .limit(MAX_PARTS)
        .forEach(hold -> {
          String whose =
              hold.namespace().isEmpty()
                  ? "All restarts"
                  : "Restarts in namespace " + hold.namespace();
          if (hold.holding()) {
            line(html, Mark.FAILED, whose + " on hold: " + hold.reason() + "; ends ")
                .add(Ago.of(hold.until(), now))
                .text(" or earlier");
          } else {
            line(
                html,
                Mark.WARNING,
                whose + " allowed again, although the problem persists: " + hold.reason());
          }
          html.text("; since ").add(Ago.of(hold.since(), now)).close("li");
        });
    return html.close("ul").close("section");
  }

  private static Html line(Html html, Mark mark, String text) {
    return html.open("li", "class", mark.label())
        .add(mark.html())
        .text(" " + NodeSection.cut(text));
  }

  /** {@return the agent's resource usage} */
  Fragment cost() {
    List<Fact> facts = facts();
    return new Fragment("node-agent", facts, () -> cost(facts));
  }

  private Html cost(List<Fact> facts) {
    PageTable table = new PageTable("Resource usage");
    Html html = table.rows();
    for (Fact fact : facts) {
      html.open("tr").element("th", fact.name(), "scope", "row").open("td");
      html.text(NodeSection.cut(fact.text()));
      if (!fact.time().isEmpty()) {
        html.add(Ago.of(fact.time(), now));
      }
      html.close("td").close("tr");
    }
    return NodeSection.begin("node-agent", "Agent")
        .open("details")
        .element("summary", "Version, resource usage and queues")
        .add(table.html())
        .close("details")
        .close("section");
  }

  private List<Fact> facts() {
    List<Fact> facts = new ArrayList<>();
    facts.add(
        agent.startTime().isEmpty()
            ? new Fact("Version", agent.version())
            : new Fact("Version", agent.version() + ", started ", agent.startTime()));
    facts.add(new Fact("CPU", cpu(agent.cpu())));
    facts.add(new Fact("Memory", memory(agent.memory())));
    Long files = agent.openFiles();
    facts.add(new Fact("Open files", files == null ? "unknown" : files.toString()));
    facts.add(
        new Fact("Queues", bounded(agent.queues().stream().map(AgentSection::queue).toList())));
    facts.add(
        new Fact(
            "Event loops",
            bounded(
                agent.loops().stream()
                    .map(loop ->
                        "loop %s start lag: avg %s, max %s"
                            .formatted(
                                loop.loop(),
                                Sparkline.millis(loop.meanLagMs()),
                                Sparkline.millis(loop.maxLagMs())))
                    .toList())));
    facts.add(stalls());
    GuardView guard = agent.guard();
    if (guard != null) {
      facts.add(new Fact("Mass-failure guard", guard(guard)));
      facts.add(new Fact("Suppressed restarts", kept(guard.kept())));
    }
    return facts;
  }

  private static String cpu(@Nullable Cpu cpu) {
    return cpu == null
        ? "unknown"
        : "%s %% of a core over %s, %s s in total"
            .formatted(decimal(cpu.percent()), length(cpu.overSeconds()), whole(cpu.seconds()));
  }

  private static String length(double seconds) {
    return Ago.length(Duration.ofSeconds((long) Math.max(0, Math.min(seconds, 1e10))));
  }

  private static String memory(@Nullable Memory memory) {
    return memory == null
        ? "unknown"
        : "%s MiB in RAM; heap %s of %s MiB"
            .formatted(
                whole(memory.resident() / MIB),
                whole(memory.heapUsed() / MIB),
                whole(memory.heapMax() / MIB));
  }

  private static String queue(Queue queue) {
    Long limit = queue.limit();
    return queue.name() + " " + queue.length() + (limit == null ? "" : " of " + limit);
  }

  private Fact stalls() {
    AgentView.Stalls stalls = agent.stalls();
    String discarded =
        stalls.discardedProbes() == 0 ? "" : "; " + stalls.discardedProbes() + " probes discarded";
    return stalls.count() == 0
        ? new Fact("Stalls", "none of a second or longer since start" + discarded)
        : new Fact(
            "Stalls",
            "%d since start, %s s in total%s; last "
                .formatted(stalls.count(), decimal(stalls.seconds()), discarded),
            stalls.last());
  }

  private static String guard(GuardView guard) {
    if (!guard.enabled()) {
      return "switched off";
    }
    long holding = guard.holds().stream().filter(HoldView::holding).count();
    return holding == 0 ? "no restarts on hold" : "restarts on hold";
  }

  private static String kept(Map<String, Long> kept) {
    List<String> counts =
        kept.entrySet().stream()
            .filter(count -> count.getValue() > 0)
            .map(count -> count.getKey().replace('_', ' ') + " " + count.getValue())
            .sorted()
            .toList();
    return counts.isEmpty() ? "none" : bounded(counts);
  }

  private static String bounded(List<String> parts) {
    return parts.isEmpty()
        ? "none"
        : parts.stream().limit(MAX_PARTS).collect(Collectors.joining(", "))
            + (parts.size() > MAX_PARTS ? " and " + (parts.size() - MAX_PARTS) + " more" : "");
  }

  private static String whole(double number) {
    return String.format(Locale.ROOT, "%.0f", number);
  }

  private static String decimal(double number) {
    return String.format(Locale.ROOT, "%.1f", number);
  }
}
