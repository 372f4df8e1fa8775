package io.probelet.agent.simulate;

import io.probelet.health.GoDuration;
import io.probelet.nodehealth.simulation.NodeNames;
import io.probelet.nodehealth.simulation.Timeline;
import io.probelet.nodehealth.simulation.Timeline.Span;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Draws a timeline: a lane for every node, or for all nodes that fared alike; in it the time the
 * node was unhealthy and below that its remediations.
 */
public final class TimelineSvg {
  private static final int LEFT = 230;
  private static final int WIDTH = 960;
  private static final int RIGHT = 20;
  private static final int TOP = 40;
  private static final int BAR = 12;
  private static final int MAX_LANES = 60;
  private static final int MAX_TICKS = 12;
  private static final String UNHEALTHY = "#c9372c";
  private static final List<String> PALETTE =
      List.of("#1d7afc", "#22a06b", "#e2b203", "#8270db", "#2898bd", "#943d73");
  private static final List<Duration> STEPS =
      List.of(
          Duration.ofMinutes(1),
          Duration.ofMinutes(5),
          Duration.ofMinutes(10),
          Duration.ofMinutes(30),
          Duration.ofHours(1),
          Duration.ofHours(6),
          Duration.ofDays(1));

  private final Timeline timeline;
  private final List<String> kinds;
  private final StringBuilder svg = new StringBuilder();
  private int y = TOP;

  private TimelineSvg(Timeline timeline) {
    this.timeline = timeline;
    this.kinds =
        List.copyOf(
            new TreeSet<>(
                timeline.spans().stream()
                    .map(Span::label)
                    .filter(label -> !label.isEmpty())
                    .toList()));
  }

  /**
   * Draws a timeline.
   *
   * @param timeline what happened
   * @return an SVG document
   */
  public static String draw(Timeline timeline) {
    return new TimelineSvg(timeline).draw();
  }

  private String draw() {
    Map<List<Lasting>, List<String>> lanes = lanes();
    int shown = 0;
    for (Map.Entry<List<Lasting>, List<String>> lane : lanes.entrySet()) {
      if (shown++ == MAX_LANES) {
        text(8, y + BAR, "and " + (lanes.size() - MAX_LANES) + " lanes more", "start");
        y += 2 * BAR;
        break;
      }
      lane(NodeNames.compress(lane.getValue()), lane.getKey());
    }
    int bottom = y;
    ticks(bottom);
    legend(bottom + 32);
    int height = bottom + 48;
    return """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">
    <rect width="100%%" height="100%%" fill="#ffffff"/>
    %s</svg>
    """
        .formatted(WIDTH, height, svg);
  }

  /** What lasted on a node, apart from the node's name. */
  private record Lasting(String label, Duration from, Duration to) {}

  private Map<List<Lasting>, List<String>> lanes() {
    Map<String, List<Lasting>> byNode = new TreeMap<>();
    for (Span span : timeline.spans()) {
      byNode
          .computeIfAbsent(span.node(), _ -> new ArrayList<>())
          .add(new Lasting(span.label(), span.from(), span.to()));
    }
    Map<List<Lasting>, List<String>> lanes = new LinkedHashMap<>();
    byNode.forEach((node, spans) -> lanes.computeIfAbsent(spans, _ -> new ArrayList<>()).add(node));
    return lanes;
  }

  private void lane(String name, List<Lasting> spans) {
    String brief = name.length() > 34 ? name.substring(0, 33) + "…" : name;
    text(LEFT - 8, y + BAR - 2, brief, "end");
    for (Lasting span : spans) {
      if (span.label().isEmpty()) {
        bar(span, y, UNHEALTHY, "unhealthy");
      }
    }
    int row = 1;
    for (String kind : kinds) {
      if (spans.stream().anyMatch(span -> span.label().equals(kind))) {
        int top = y + row++ * (BAR + 2);
        spans.stream()
            .filter(span -> span.label().equals(kind))
            .forEach(span -> bar(span, top, color(kind), kind));
      }
    }
    y += row * (BAR + 2) + 8;
  }

  private void bar(Lasting span, int top, String color, String what) {
    double from = x(span.from());
    double width = Math.max(1, x(span.to()) - from);
    svg.append(
        String.format(
            Locale.ROOT,
            "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" rx=\"2\" fill=\"%s\">"
                + "<title>%s, %s to %s</title></rect>\n",
            from,
            top,
            width,
            BAR,
            color,
            escaped(what),
            GoDuration.format(span.from()),
            GoDuration.format(span.to())));
  }

  private void ticks(int bottom) {
    Duration step =
        STEPS.stream()
            .filter(each -> timeline.length().dividedBy(each) <= MAX_TICKS)
            .findFirst()
            .orElse(STEPS.getLast());
    for (Duration at = Duration.ZERO; at.compareTo(timeline.length()) <= 0; at = at.plus(step)) {
      svg.append(
          String.format(
              Locale.ROOT,
              "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"#00000022\"/>\n",
              x(at),
              TOP - 8,
              x(at),
              bottom));
      text((int) Math.round(x(at)), TOP - 14, GoDuration.format(at), "middle");
    }
  }

  private void legend(int at) {
    int x = LEFT;
    List<String> words = new ArrayList<>(List.of("unhealthy"));
    words.addAll(kinds);
    for (String word : words) {
      String color = kinds.contains(word) ? color(word) : UNHEALTHY;
      svg.append(
          String.format(
              Locale.ROOT,
              "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"2\" fill=\"%s\"/>\n",
              x,
              at - BAR + 2,
              BAR,
              BAR,
              color));
      text(x + BAR + 6, at, word, "start");
      x += BAR + 26 + word.length() * 7;
    }
  }

  private void text(int x, int baseline, String text, String anchor) {
    svg.append(
        String.format(
            Locale.ROOT,
            "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" fill=\"#172b4d\">%s</text>\n",
            x,
            baseline,
            anchor,
            escaped(text)));
  }

  private double x(Duration at) {
    double whole = Math.max(1, timeline.length().toMillis());
    return LEFT + (WIDTH - LEFT - RIGHT) * (at.toMillis() / whole);
  }

  private String color(String kind) {
    return PALETTE.get(kinds.indexOf(kind) % PALETTE.size());
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
