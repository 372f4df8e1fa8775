package io.probelet.fleet.ui.simulate;

import io.probelet.health.GoDuration;
import io.probelet.nodehealth.simulation.NodeNames;
import io.probelet.nodehealth.simulation.Timeline;
import io.probelet.nodehealth.simulation.Timeline.Hold;
import io.probelet.nodehealth.simulation.Timeline.Row;
import io.probelet.nodehealth.simulation.Timeline.Span;
import io.probelet.rehearsal.simulate.TimelineDrawing;
import io.probelet.web.page.Html;
import io.probelet.web.page.PageTable;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** What came of it: numbers side by side, the timelines one above the other, each also in words. */
final class SimulateResult {
  /** So many rows of a timeline are written out. */
  static final int MAX_ROWS = 200;

  private static final int MAX_NAMES = 60;

  private SimulateResult() {}

  static Html of(int down, Map<String, Timeline> timelines) {
    Html result = new Html();
    result.element(
        "p",
        ("%d nodes go down. Nodes unhealthy now start unhealthy. RemediationPolicies and existing"
                + " remediations are ignored; all templates are assumed to exist.")
            .formatted(down),
        "class",
        "quiet");
    numbers(result, timelines);
    timelines.forEach((title, timeline) -> {
      result.open("section").element("h2", title);
      result.openScrolled(title + ", drawn").add(TimelineDrawing.of(timeline)).close("div");
      timeline.outcome().forEach(line -> result.element("p", line));
      words(result, title, timeline);
      result.close("section");
    });
    return result;
  }

  private static void numbers(Html result, Map<String, Timeline> timelines) {
    PageTable table =
        new PageTable(
            "Results",
            Stream.concat(Stream.of("Count"), timelines.keySet().stream()).toArray(String[]::new));
    row(table, timelines, "nodes remediated", timeline -> count(nodes(remediations(timeline))));
    row(table, timelines, "remediations", timeline -> count(remediations(timeline)));
    row(table, timelines, "given up", timeline -> Integer.toString(timeline.turns().size()));
    row(table, timelines, "node-minutes unhealthy", SimulateResult::unhealthy);
    row(table, timelines, "nodes held back", timeline -> count(waiting(timeline)));
    row(
        table,
        timelines,
        "last node healthy again",
        timeline ->
            down(timeline)
                .map(Span::to)
                .max(Duration::compareTo)
                .map(
                    at -> at.equals(timeline.length()) ? "not in this time" : GoDuration.format(at))
                .orElse("none was unhealthy"));
    result.add(table.html());
  }

  private static void row(
      PageTable table,
      Map<String, Timeline> timelines,
      String name,
      Function<Timeline, String> value) {
    table.row(Stream.concat(Stream.of(name), timelines.values().stream().map(value)).toList());
  }

  private static Stream<Span> remediations(Timeline timeline) {
    return timeline.spans().stream().filter(span -> !span.label().isEmpty());
  }

  private static Stream<Span> down(Timeline timeline) {
    return timeline.spans().stream().filter(span -> span.label().isEmpty());
  }

  private static Stream<String> nodes(Stream<Span> spans) {
    return spans.map(Span::node).distinct();
  }

  private static Stream<String> waiting(Timeline timeline) {
    return timeline.holds().stream().map(Hold::node).filter(node -> !node.isEmpty()).distinct();
  }

  private static String unhealthy(Timeline timeline) {
    long minutes =
        down(timeline)
            .map(span -> span.to().minus(span.from()))
            .reduce(Duration.ZERO, Duration::plus)
            .toMinutes();
    return Long.toString(minutes);
  }

  private static String count(Stream<?> things) {
    return Long.toString(things.count());
  }

  private static void words(Html result, String title, Timeline timeline) {
    result.open("details").element("summary", title + ", in words");
    PageTable table = new PageTable("Timeline", "At", "By", "Nodes", "What");
    timeline.rows().stream()
        .limit(MAX_ROWS)
        .forEach(row ->
            table
                .rows()
                .open("tr")
                .element("td", GoDuration.format(row.at()))
                .element("td", row.by().name().toLowerCase(Locale.ROOT))
                .element("td", names(row))
                .element("td", row.what())
                .close("tr"));
    result.add(table.html());
    if (timeline.rows().size() > MAX_ROWS) {
      result.element("p", "and %d more".formatted(timeline.rows().size() - MAX_ROWS));
    }
    result.close("details");
  }

  private static String names(Row row) {
    String names = NodeNames.compress(row.nodes());
    return names.length() <= MAX_NAMES ? names : row.nodes().size() + " nodes";
  }
}
