package io.probelet.rehearsal.simulate;

import io.probelet.health.GoDuration;
import io.probelet.health.ShortText;
import io.probelet.nodehealth.simulation.Timeline;
import io.probelet.nodehealth.simulation.Timeline.Hold;
import io.probelet.nodehealth.simulation.Timeline.Span;
import io.probelet.nodehealth.simulation.Timeline.Turn;
import io.probelet.rehearsal.simulate.TimelineLanes.Lane;
import io.probelet.web.page.Html;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Draws a timeline: what held all nodes back, and a lane for all nodes with the same history. A
 * lane shows when the nodes were unhealthy, each step of their remediation with the point where it
 * was given up, and what they waited for. Colors come from {@code timeline.css}; each element also
 * has a shape and a text.
 */
public final class TimelineDrawing {
  private static final int LEFT = 230;
  private static final int WIDTH = 960;
  private static final int RIGHT = 32;
  private static final int TOP = 40;
  private static final int BAR = 14;
  private static final int ROW = BAR + 3;
  private static final int MARK = 4;
  private static final int MAX_TICKS = 12;
  private static final int COLOURS = 6;
  private static final double CHARACTER = 5.6;
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
  private final Html bars = new Html();
  private int y = TOP;

  private TimelineDrawing(Timeline timeline) {
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
   * @return one {@code svg} element of the class {@code timeline}, of limited size
   */
  public static Html of(Timeline timeline) {
    return new TimelineDrawing(timeline).draw();
  }

  private Html draw() {
    TimelineLanes lanes = TimelineLanes.of(timeline);
    fleet();
    lanes.lanes().forEach(this::lane);
    if (timeline.spans().isEmpty() && timeline.holds().isEmpty()) {
      text(
          LEFT,
          y + BAR - 3,
          "no node was unhealthy for longer than its duration",
          "start",
          "faint");
      y += ROW + 8;
    }
    if (lanes.hidden() > 0) {
      String more = "and %d more lanes, unhealthy for less time".formatted(lanes.hidden());
      text(8, y + BAR - 3, more, "start", "faint");
      y += ROW + 8;
    }
    int bottom = y;
    Html ticks = ticks(bottom);
    int height = legend(bottom + 24);
    return new Html()
        .open(
            "svg",
            "xmlns",
            "http://www.w3.org/2000/svg",
            "class",
            "timeline",
            "viewBox",
            "0 0 %d %d".formatted(WIDTH, height),
            "role",
            "img",
            "aria-label",
            summary())
        .empty("rect", "class", "back", "width", "100%", "height", "100%")
        .add(ticks)
        .add(bars)
        .close("svg");
  }

  private String summary() {
    long nodes = timeline.spans().stream().map(Span::node).distinct().count();
    long remediations = timeline.spans().stream().filter(span -> !span.label().isEmpty()).count();
    return "Timeline of %s: %d nodes unhealthy, %d remediations, %d given up, %d waits"
        .formatted(
            GoDuration.format(timeline.length()),
            nodes,
            remediations,
            timeline.turns().size(),
            timeline.holds().size());
  }

  /** What held back all nodes, such as a storm. */
  private void fleet() {
    List<Hold> holds = timeline.holds().stream().filter(hold -> hold.node().isEmpty()).toList();
    if (!holds.isEmpty()) {
      text(LEFT - 8, y + BAR - 3, "all nodes", "end", "");
      holds.stream().limit(TimelineLanes.MAX_BARS).forEach(this::hold);
      y += ROW + 8;
    }
  }

  private void lane(Lane lane) {
    text(LEFT - 8, y + BAR - 3, lane.name(), "end", "");
    first(lane.spans().stream().filter(span -> span.label().isEmpty()))
        .forEach(span -> bar("bad", span.from(), span.to(), "unhealthy", "unhealthy"));
    y += ROW;
    List<String> steps = lane.kinds();
    for (String kind : steps) {
      step(lane, kind, steps.indexOf(kind) + 1, steps.size());
    }
    if (!lane.holds().isEmpty()) {
      first(lane.holds().stream()).forEach(this::hold);
      y += ROW;
    }
    if (lane.isCut()) {
      String rest = "only the first " + TimelineLanes.MAX_BARS + " bars of each sort are drawn";
      text(LEFT, y + BAR - 3, rest, "start", "faint");
      y += ROW;
    }
    y += 8;
  }

  private static <T> Stream<T> first(Stream<T> all) {
    return all.limit(TimelineLanes.MAX_BARS);
  }

  /**
   * One step of the escalation: a bar until it is given up, and the remaining time of its
   * remediation after that.
   */
  private void step(Lane lane, String kind, int number, int steps) {
    String colour = "k" + kinds.indexOf(kind) % COLOURS;
    List<Turn> turns = lane.turns().stream().filter(turn -> turn.label().equals(kind)).toList();
    first(lane.spans().stream().filter(span -> span.label().equals(kind)))
        .forEach(span -> {
          Duration end =
              turns.stream()
                  .map(Turn::at)
                  .filter(at -> at.compareTo(span.from()) >= 0 && at.compareTo(span.to()) < 0)
                  .findFirst()
                  .orElse(span.to());
          String name = steps > 1 ? number + " " + kind : kind;
          if (end.compareTo(span.to()) < 0) {
            bar(colour + " over", end, span.to(), "", kind + ", given up but not deleted yet");
          }
          bar(colour + " work", span.from(), end, name, kind);
        });
    boolean hasNext = number < steps;
    first(turns.stream()).forEach(turn -> turn(turn, hasNext));
    y += ROW;
  }

  /** A cross where a step was given up, and a line to the next step. */
  private void turn(Turn turn, boolean hasNext) {
    String x = coordinate(x(turn.at()));
    String cross =
        "M%s %dm-%d -%dl%d %dm0 -%dl-%d %d"
            .formatted(
                x, y + BAR / 2, MARK, MARK, 2 * MARK, 2 * MARK, 2 * MARK, 2 * MARK, 2 * MARK);
    String down = hasNext ? "M%s %dV%d".formatted(x, y + BAR / 2, y + ROW) : "";
    String why = turn.failed() ? " failed" : " timed out";
    bars.open("path", "class", "turn", "d", cross + down)
        .element("title", turn.label() + why + " at " + GoDuration.format(turn.at()))
        .close("path");
  }

  private void hold(Hold hold) {
    bar("wait", hold.from(), hold.to(), hold.text(), "waiting: " + hold.text());
  }

  private void bar(String style, Duration from, Duration to, String inside, String what) {
    double left = x(from);
    double width = Math.max(1.5, x(to) - left);
    bars.open(
            "rect",
            "class",
            style,
            "x",
            coordinate(left),
            "y",
            Integer.toString(y),
            "width",
            coordinate(width),
            "height",
            Integer.toString(BAR),
            "rx",
            "2")
        .element(
            "title", "%s, %s to %s".formatted(what, GoDuration.format(from), GoDuration.format(to)))
        .close("rect");
    int room = (int) ((width - 6) / CHARACTER);
    if (room >= Math.min(inside.length(), 6) && !inside.isEmpty()) {
      String brief = ShortText.of(inside, Math.max(2, room));
      bars.element(
          "text",
          brief,
          "class",
          "in",
          "x",
          coordinate(left + 4),
          "y",
          Integer.toString(y + BAR - 4));
    }
  }

  private Html ticks(int bottom) {
    Html ticks = new Html();
    Duration step =
        STEPS.stream()
            .filter(each -> timeline.length().dividedBy(each) <= MAX_TICKS)
            .findFirst()
            .orElse(timeline.length().dividedBy(MAX_TICKS));
    for (Duration at = Duration.ZERO; at.compareTo(timeline.length()) <= 0; at = at.plus(step)) {
      String x = coordinate(x(at));
      ticks.empty("path", "class", "tick", "d", "M%s %dV%d".formatted(x, TOP - 8, bottom));
      ticks.element(
          "text",
          GoDuration.format(at),
          "class",
          "faint",
          "x",
          x,
          "y",
          Integer.toString(TOP - 14),
          "text-anchor",
          "middle");
    }
    return ticks;
  }

  /** Draws the legend; returns its end. */
  private int legend(int top) {
    y = top;
    int x = legend(LEFT, "bad", "unhealthy");
    for (String kind : kinds) {
      x = legend(x, "k" + kinds.indexOf(kind) % COLOURS + " work", kind);
    }
    if (!timeline.holds().isEmpty()) {
      x = legend(x, "wait", "waiting, with the reason");
    }
    if (!timeline.turns().isEmpty()) {
      legend(x, "", "given up");
    }
    return y + BAR + 12;
  }

  private int legend(int x, String style, String word) {
    int width = BAR + 24 + (int) (word.length() * 6.6);
    int left = x;
    if (x + width > WIDTH - RIGHT && x > LEFT) {
      left = LEFT;
      y += ROW;
    }
    if (style.isEmpty()) {
      bars.empty(
          "path",
          "class",
          "turn",
          "d",
          "M%d %dl%d %dm0 -%dl-%d %d"
              .formatted(left + 3, y + 3, 2 * MARK, 2 * MARK, 2 * MARK, 2 * MARK, 2 * MARK));
    } else {
      bars.empty(
          "rect",
          "class",
          style,
          "x",
          Integer.toString(left),
          "y",
          Integer.toString(y),
          "width",
          Integer.toString(BAR),
          "height",
          Integer.toString(BAR),
          "rx",
          "2");
    }
    text(left + BAR + 6, y + BAR - 3, word, "start", "");
    return left + width;
  }

  private void text(int x, int baseline, String text, String anchor, String style) {
    String[] place = {
      "x", Integer.toString(x), "y", Integer.toString(baseline), "text-anchor", anchor
    };
    bars.element(
        "text",
        text,
        style.isEmpty()
            ? place
            : Stream.concat(Stream.of("class", style), Stream.of(place)).toArray(String[]::new));
  }

  private double x(Duration at) {
    double whole = Math.max(1, timeline.length().toMillis());
    return LEFT + (WIDTH - LEFT - RIGHT) * (at.toMillis() / whole);
  }

  private static String coordinate(double at) {
    return String.format(Locale.ROOT, "%.1f", at);
  }
}
