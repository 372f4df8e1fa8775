package io.probelet.fleet.ui;

import static io.probelet.fleet.ui.FleetWords.text;

import io.probelet.fleet.FleetCheck;
import io.probelet.fleet.FleetCondition;
import io.probelet.fleet.FleetContainers;
import io.probelet.fleet.FleetEvent;
import io.probelet.fleet.FleetGap;
import io.probelet.fleet.FleetLeader;
import io.probelet.fleet.FleetNode.State;
import io.probelet.fleet.FleetPolicy;
import io.probelet.fleet.FleetRemediation;
import io.probelet.fleet.FleetView;
import io.probelet.fleet.RecentContainers.Round;
import io.probelet.web.api.Severity;
import io.probelet.web.page.Ago;
import io.probelet.web.page.Fragment;
import io.probelet.web.page.Html;
import io.probelet.web.page.PageTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The parts of the first page that are about the whole cluster. */
final class ClusterSections {
  private static final int MAX_ROWS = 50;
  private static final int MAX_EVENTS = 20;

  private ClusterSections() {}

  /**
   * {@return the verdict in one line}
   *
   * @param containers what agents answered last; empty before the first answer
   */
  static Fragment summary(FleetView view, Optional<Round> containers) {
    Summary summary = Summary.of(view, containers.flatMap(Round::answer));
    return new Fragment("summary", summary, summary::html);
  }

  /** {@return what could not be read, if anything} */
  static List<Fragment> unknown(FleetView view) {
    List<Fragment> sections = new ArrayList<>();
    if (!view.gaps().isEmpty() || !view.absent().isEmpty()) {
      sections.add(new Fragment("gaps", List.of(view.gaps(), view.absent()), () -> gaps(view)));
    }
    return sections;
  }

  private record Summary(
      FleetView.Verdict verdict,
      int nodes,
      Map<State, Integer> counts,
      int waits,
      long atWork,
      int gaps,
      int broken,
      boolean allAsked) {
    static Summary of(FleetView view, Optional<FleetContainers> containers) {
      return new Summary(
          view.verdict(),
          view.nodes().size(),
          view.counts(),
          view.waits().size(),
          view.remediations().stream()
              .filter(each -> each.state() != FleetRemediation.State.SUCCEEDED)
              .count(),
          view.gaps().size(),
          containers.map(each -> each.containers().size() + each.more()).orElse(0),
          containers.map(FleetContainers::complete).orElse(false));
    }

    Html html() {
      return new Html()
          .open("section", "id", "summary")
          .open("p", "class", "verdict")
          .add(shown().html())
          .close("p")
          .open("p", "class", "quiet")
          .text(sentence())
          .close("p")
          .close("section");
    }

    /** Containers that nobody could check are never said to be healthy. */
    private FleetWords.Shown shown() {
      int ill = nodes - counts.getOrDefault(State.HEALTHY, 0);
      List<String> parts = new ArrayList<>();
      if (broken > 0) {
        parts.add(FleetWords.count(broken, "unhealthy container"));
      }
      if (ill > 0) {
        parts.add(
            "%s of %s not healthy"
                .formatted(FleetWords.count(ill), FleetWords.count(nodes, "node")));
      }
      if (verdict == FleetView.Verdict.NOT_WELL || broken > 0) {
        return new FleetWords.Shown(
            "✕", "failed", parts.isEmpty() ? "Degraded" : "Degraded: " + String.join("; ", parts));
      }
      if (verdict == FleetView.Verdict.UNKNOWN) {
        return new FleetWords.Shown("?", "unknown", "Unknown: not everything could be read");
      }
      return allAsked
          ? new FleetWords.Shown("●", "good", "Healthy")
          : new FleetWords.Shown("?", "unknown", "Nodes healthy; not all containers checked");
    }

    private String sentence() {
      int healthy = counts.getOrDefault(State.HEALTHY, 0);
      StringBuilder text =
          new StringBuilder(
              "%s of %s healthy"
                  .formatted(FleetWords.count(healthy), FleetWords.count(nodes, "node")));
      counts.forEach((state, count) -> {
        if (state != State.HEALTHY) {
          text.append(", ")
              .append(FleetWords.count(count))
              .append(' ')
              .append(FleetWords.of(state).word());
        }
      });
      return text.append("; ")
          .append(FleetWords.count(atWork, "remediation"))
          .append(", ")
          .append(FleetWords.count(waits))
          .append(" held back; ")
          .append(FleetWords.count(gaps))
          .append(" not read.")
          .toString();
    }
  }

  private static Html gaps(FleetView view) {
    Html section = new Html().open("section", "id", "gaps").element("h2", "Not read").open("ul");
    view.gaps().stream()
        .limit(MAX_ROWS)
        .forEach(gap ->
            section
                .open("li")
                .element("strong", gap.what())
                .text(" (" + kind(gap.kind()) + "): " + gap.why())
                .close("li"));
    if (view.gaps().size() > MAX_ROWS) {
      section.element("li", "and %d more".formatted(view.gaps().size() - MAX_ROWS));
    }
    if (!view.absent().isEmpty()) {
      section
          .open("li")
          .text("Not installed in this cluster: " + String.join(", ", view.absent()))
          .close("li");
    }
    return section.close("ul").close("section");
  }

  private static String kind(FleetGap.Kind kind) {
    return switch (kind) {
      case FORBIDDEN -> "not allowed";
      case UNREACHABLE -> "no answer";
      case PENDING -> "not read yet";
      case TOO_MANY -> "too many";
      case TOO_LARGE -> "too large";
    };
  }

  /**
   * {@return NodeHealthChecks, policies, ClusterHealth, leaders and events, as far as there are}
   */
  static List<Fragment> details(FleetView view) {
    List<Fragment> sections = new ArrayList<>();
    if (!view.checks().isEmpty()) {
      sections.add(new Fragment("checks", view.checks(), () -> checks(view.checks())));
    }
    if (!view.policies().isEmpty()) {
      sections.add(new Fragment("policies", view.policies(), () -> policies(view.policies())));
    }
    if (!view.clusterHealth().isEmpty()) {
      sections.add(
          new Fragment(
              "cluster-health",
              view.clusterHealth(),
              () ->
                  new Html()
                      .open("section", "id", "cluster-health")
                      .element("h2", "Cluster components")
                      .add(conditions("ClusterHealth", view.clusterHealth(), view.time()))
                      .close("section")));
    }
    if (!view.leaders().isEmpty()) {
      sections.add(
          new Fragment(
              "leaders",
              view.leaders().stream()
                  .map(leader -> leader.lease() + leader.holder() + leader.leading())
                  .toList(),
              () -> leaders(view.leaders(), view.time())));
    }
    if (!view.events().isEmpty()) {
      List<FleetEvent> newest = view.events().stream().limit(MAX_EVENTS).toList();
      sections.add(
          new Fragment("events", newest, () -> events("Newest events", newest, view.time())));
    }
    return sections;
  }

  private static Html checks(List<FleetCheck> checks) {
    PageTable table =
        new PageTable("NodeHealthChecks", "Name", "Phase", "Healthy", "Needed", "Steps", "Message");
    List<FleetCheck> sorted = Severity.worstFirst(checks, FleetCheck::severity);
    sorted.stream()
        .limit(MAX_ROWS)
        .forEach(check ->
            table.row(
                text(check.name()),
                text(check.phase().isEmpty() ? "–" : check.phase()),
                text("%d of %d".formatted(check.healthy(), check.nodes())),
                text(
                    (check.required() == null ? "–" : String.valueOf(check.required()))
                        + (check.floor().isEmpty() ? "" : " (" + check.floor() + ")")),
                steps(check),
                text(
                    FleetWords.brief(
                        check.problem().isEmpty()
                            ? String.join("; ", said(check))
                            : "invalid: " + check.problem()))));
    return new Html()
        .open("section", "id", "checks")
        .element("h2", "NodeHealthChecks")
        .add(table.html())
        .add(more(sorted.stream().map(FleetCheck::severity).toList()))
        .close("section");
  }

  private static List<String> said(FleetCheck check) {
    List<String> said = new ArrayList<>();
    if (!check.reason().isEmpty()) {
      said.add(check.reason());
    }
    if (!check.pauseRequests().isEmpty()) {
      said.add("paused by " + String.join(", ", check.pauseRequests()));
    }
    return said;
  }

  /** {@return the steps of escalation, first to last, each with its time} */
  static Html steps(FleetCheck check) {
    Html steps = new Html().open("ol", "class", "steps");
    check.steps().stream()
        .limit(MAX_ROWS)
        .forEach(step ->
            steps
                .open("li")
                .text(step.kind() + " " + step.template())
                .text(step.timeout() == null ? "" : ", timeout " + Ago.length(step.timeout()))
                .close("li"));
    return steps.close("ol");
  }

  private static Html policies(List<FleetPolicy> policies) {
    PageTable table =
        new PageTable(
            "RemediationPolicies",
            "Name",
            "Limits",
            "Nodes",
            "In progress",
            "Held back",
            "Last hour",
            "Message");
    List<FleetPolicy> sorted = Severity.worstFirst(policies, FleetPolicy::severity);
    sorted.stream()
        .limit(MAX_ROWS)
        .forEach(policy ->
            table.row(
                text(policy.name()),
                text(String.join(", ", policy.limits())),
                text(FleetWords.count(policy.nodes())),
                text(FleetWords.count(policy.remediating())),
                text(FleetWords.count(policy.held())),
                text(FleetWords.count(policy.lastHour())),
                text(said(policy))));
    return new Html()
        .open("section", "id", "policies")
        .element("h2", "Policies")
        .add(table.html())
        .add(more(sorted.stream().map(FleetPolicy::severity).toList()))
        .close("section");
  }

  private static String said(FleetPolicy policy) {
    if (!policy.problem().isEmpty()) {
      return "invalid, blocks all remediation: " + policy.problem();
    }
    return policy.paused() ? "paused" : policy.dryRun() ? "dry run" : "";
  }

  private static Html leaders(List<FleetLeader> leaders, Instant now) {
    PageTable table = new PageTable("Leaders", "Lease", "Holder", "Renewed");
    leaders.stream()
        .limit(MAX_ROWS)
        .forEach(leader ->
            table.row(
                text(leader.lease()),
                leader.leading()
                    ? text(leader.holder())
                    : new FleetWords.Shown("✕", "failed", "no leader").html(),
                FleetWords.time(leader.renewed(), now)));
    return new Html()
        .open("section", "id", "leaders")
        .element("h2", "Leaders")
        .add(table.html())
        .close("section");
  }

  /** Draws conditions. */
  static Html conditions(String caption, List<FleetCondition> conditions, Instant now) {
    PageTable table = new PageTable(caption, "Condition", "Status", "Since", "Reason", "Message");
    Severity.worstFirst(conditions, FleetCondition::severity)
        .forEach(condition ->
            table.row(
                text(condition.type()),
                FleetWords.of(condition.verdict(), condition.status()).html(),
                FleetWords.time(condition.since(), now),
                text(condition.reason()),
                text(condition.message())));
    return table.html();
  }

  /** Counts what a table leaves out, by how bad it is. */
  private static Html more(List<Severity> sorted) {
    String more = Severity.more(sorted.subList(Math.min(MAX_ROWS, sorted.size()), sorted.size()));
    return more.isEmpty() ? new Html() : new Html().element("p", more);
  }

  /**
   * Draws events.
   *
   * @param events newest first; the newest 50 are drawn
   */
  static Html events(String caption, List<FleetEvent> events, Instant now) {
    PageTable table = new PageTable(caption, "When", "Type", "Object", "Reason", "From", "Message");
    events.stream()
        .limit(MAX_ROWS)
        .forEach(event ->
            table.row(
                FleetWords.time(event.time(), now),
                event.warning()
                    ? new FleetWords.Shown("▲", "warning", "Warning").html()
                    : text("Normal"),
                event.kind().equals("Node")
                    ? FleetWords.node(event.name())
                    : text(event.kind() + " " + event.name()),
                text(event.reason() + (event.count() > 1 ? " ×" + event.count() : "")),
                from(event),
                text(FleetWords.brief(event.message()))));
    return new Html()
        .open("section", "id", "events")
        .element("h2", "Events")
        .add(table.html())
        .close("section");
  }

  /** Anyone who may create Events can name any component, so the namespace is part of it. */
  private static Html from(FleetEvent event) {
    String component =
        event.source().equals(event.component())
            ? event.component()
            : event.component() + " (" + event.source() + ")";
    Html from = text(component + " in " + event.eventNamespace());
    return event.known()
        ? from
        : from.text(" ").add(new FleetWords.Shown("?", "unknown", "unknown component").html());
  }
}
