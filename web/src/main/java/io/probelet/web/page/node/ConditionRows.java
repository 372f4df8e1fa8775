package io.probelet.web.page.node;

import io.probelet.web.api.NodeView;
import io.probelet.web.api.NodeView.Change;
import io.probelet.web.api.NodeView.ConditionView;
import io.probelet.web.api.NodeView.Evidence;
import io.probelet.web.api.Rfc3339;
import io.probelet.web.api.Severity;
import io.probelet.web.page.Ago;
import io.probelet.web.page.Fragment;
import io.probelet.web.page.Html;
import io.probelet.web.page.OutcomeStrip;
import io.probelet.web.page.OutcomeStrip.Mark;
import io.probelet.web.page.PageTable;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The node's conditions as tables with their evidence, the worst first: one table of unhealthy
 * ones, and one of the others, folded.
 */
final class ConditionRows {
  private static final int MINUTES = 60;
  private static final int MAX_EVIDENCE = 16;
  private static final String FLAPPING = "Flapping";

  /** Most changes that can be counted among those that are kept. */
  private static final int MOST = NodeView.MAX_HISTORY - 1;

  private final NodeView node;
  private final Instant now;
  private final List<ConditionView> unhealthy;
  private final List<ConditionView> healthy;

  /** Changes once a minute, too, as the strips do. */
  private record Version(List<ConditionView> conditions, List<String> notKnownYet, long minute) {}

  ConditionRows(NodeView node, Instant now) {
    this.node = node;
    this.now = now;
    List<ConditionView> sorted =
        Severity.worstFirst(
            node.conditions().stream()
                .sorted(Comparator.comparingInt(condition -> -condition.changesLastHour()))
                .toList(),
            ConditionView::severity);
    unhealthy = sorted.stream().filter(each -> each.severity() != Severity.HEALTHY).toList();
    healthy = sorted.subList(unhealthy.size(), sorted.size());
  }

  /** {@return those that are a problem, flap or could not be observed; empty for none} */
  Optional<Fragment> unhealthy() {
    return unhealthy.isEmpty()
        ? Optional.empty()
        : Optional.of(fragment("node-problems", "Node problems", unhealthy, List.of(), false));
  }

  /** {@return the others, and those of which nothing is known yet; empty for none} */
  Optional<Fragment> healthy() {
    return healthy.isEmpty() && node.notKnownYet().isEmpty()
        ? Optional.empty()
        : Optional.of(
            fragment("node-conditions", "Node conditions", healthy, node.notKnownYet(), true));
  }

  private Fragment fragment(
      String id,
      String heading,
      List<ConditionView> conditions,
      List<String> notKnownYet,
      boolean folded) {
    long minute = now.getEpochSecond() / TimeUnit.MINUTES.toSeconds(1);
    return new Fragment(
        id,
        new Version(conditions, notKnownYet, minute),
        () -> html(id, heading, conditions, notKnownYet, folded));
  }

  private static Mark mark(ConditionView condition) {
    return Mark.of(condition.severity());
  }

  private Html html(
      String id,
      String heading,
      List<ConditionView> conditions,
      List<String> types,
      boolean folded) {
    PageTable table =
        new PageTable(
            // also the region's name, which no other of the page may have
            heading + ": True means a problem. The strip shows the last hour, one mark per minute",
            "Condition",
            "Status",
            "Since",
            "Last hour",
            "Why");
    List<ConditionView> shown =
        conditions.subList(0, Math.min(NodeSection.MAX_ROWS, conditions.size()));
    shown.forEach(condition -> row(table.rows(), condition));
    Html html = NodeSection.begin(id, heading);
    if (folded && !shown.isEmpty()) {
      html.open("details")
          .element("summary", conditions.size() + " healthy")
          .add(table.html())
          .close("details");
    } else if (!shown.isEmpty()) {
      html.add(table.html());
    }
    String more =
        Severity.more(
            conditions.subList(shown.size(), conditions.size()).stream()
                .map(ConditionView::severity)
                .toList());
    if (!more.isEmpty()) {
      html.element("p", more, "class", "quiet");
    }
    if (!types.isEmpty()) {
      html.element(
          "p",
          "Not known yet: "
              + NodeSection.cut(String.join(", ", types.subList(0, Math.min(20, types.size()))))
              + (types.size() > 20 ? " and " + (types.size() - 20) + " more" : ""),
          "class",
          "quiet");
    }
    return html.close("section");
  }

  private void row(Html html, ConditionView condition) {
    Mark mark = mark(condition);
    html.open("tr")
        .element("th", NodeSection.cut(condition.type()), "scope", "row")
        .open("td", "class", mark.label())
        .add(mark.html())
        .text(" " + NodeSection.cut(condition.status()))
        .close("td")
        .open("td", "data-label", "Since")
        .add(Ago.of(condition.lastTransitionTime(), now))
        .close("td")
        .open("td", "data-label", "Last hour");
    if (!condition.changes().isEmpty()) {
      html.add(OutcomeStrip.of(minutes(newest(condition.changes()))));
    }
    if (condition.changesOften()) {
      html.open("div", "class", "warning").text(often(condition)).close("div");
    }
    html.close("td").open("td");
    why(html, condition);
    html.close("td").close("tr");
  }

  private static String often(ConditionView condition) {
    String word = condition.reason().equals(FLAPPING) ? "flaps: changed " : "changed ";
    int changes = condition.changesLastHour();
    return word + changes + (changes >= MOST ? " or more" : "") + " times in the last hour";
  }

  private void why(Html html, ConditionView condition) {
    html.open("b").text(NodeSection.cut(condition.reason())).close("b");
    html.text(" " + NodeSection.cut(condition.message()));
    List<Evidence> evidence = condition.evidence();
    if (!evidence.isEmpty()) {
      html.open("ul", "class", "evidence");
      evidence.stream().limit(MAX_EVIDENCE).forEach(each -> evidence(html, condition, each));
      html.close("ul");
    }
    if (condition.changes().size() > 1) {
      changes(html, condition);
    }
  }

  /** The message is not said twice where the condition says it already. */
  private void evidence(Html html, ConditionView condition, Evidence evidence) {
    html.open("li").text(NodeSection.cut(evidence.source()) + " found ");
    html.open("b").text(NodeSection.cut(evidence.reason())).close("b");
    if (!evidence.device().isEmpty()) {
      html.text(" on " + NodeSection.cut(evidence.device()));
    }
    html.text(", since ").add(Ago.of(evidence.since(), now));
    if (!evidence.message().isEmpty() && !evidence.message().equals(condition.message())) {
      html.text(": " + NodeSection.cut(evidence.message()));
    }
    html.close("li");
  }

  private static List<Change> newest(List<Change> changes) {
    return changes.subList(Math.max(0, changes.size() - NodeView.MAX_HISTORY), changes.size());
  }

  private void changes(Html html, ConditionView condition) {
    List<Change> changes = newest(condition.changes()).reversed();
    html.open("details")
        .element("summary", "last " + changes.size() + " changes")
        .open("ul", "class", "evidence");
    changes.forEach(change -> {
      Mark mark = mark(change.status());
      html.open("li")
          .open("span", "class", mark.label())
          .add(mark.html())
          .text(" " + NodeSection.cut(change.status()))
          .close("span")
          .text(" ")
          .add(Ago.of(change.time(), now))
          .text(": " + NodeSection.cut(change.reason()))
          .text(change.message().isEmpty() ? "" : ", " + NodeSection.cut(change.message()))
          .close("li");
    });
    html.close("ul").close("details");
  }

  private static Mark mark(String status) {
    return switch (status) {
      case "True" -> Mark.FAILED;
      case "False" -> Mark.GOOD;
      default -> Mark.UNKNOWN;
    };
  }

  /** For each minute of the last hour the worst that was found in it. */
  private List<Mark> minutes(List<Change> changes) {
    Instant begin = now.minus(Duration.ofMinutes(MINUTES));
    List<Mark> marks = new ArrayList<>();
    int at = -1;
    List<Instant> times =
        changes.stream().map(change -> Rfc3339.readOrEpoch(change.time())).toList();
    for (int minute = 0; minute < MINUTES; minute++) {
      Instant end = begin.plus(Duration.ofMinutes(minute + 1L));
      Mark worst = at < 0 ? Mark.UNKNOWN : mark(changes.get(at).status());
      while (at + 1 < changes.size() && !times.get(at + 1).isAfter(end)) {
        at++;
        Mark next = mark(changes.get(at).status());
        boolean ofMinute = times.get(at).isAfter(end.minus(Duration.ofMinutes(1)));
        worst = ofMinute && worst.severity() > next.severity() ? worst : next;
      }
      marks.add(worst);
    }
    return marks;
  }
}
