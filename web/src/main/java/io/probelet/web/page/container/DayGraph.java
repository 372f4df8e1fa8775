package io.probelet.web.page.container;

import io.probelet.web.api.PastView;
import io.probelet.web.api.PastView.IntervalView;
import io.probelet.web.api.Rfc3339;
import io.probelet.web.page.Ago;
import io.probelet.web.page.Html;
import io.probelet.web.page.Sparkline;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/**
 * The last hours of a probe: per interval the share of failures as a bar from the top, and the
 * median and 99th percentile of latencies as lines. Both axes have a scale.
 */
final class DayGraph {
  private static final int WIDTH = 600;
  private static final int HEIGHT = 120;
  private static final int LABELS = 2;
  private static final int MAX_INTERVALS = 144;

  private final List<IntervalView> intervals;
  private final Instant first;
  private final double seconds;
  private final double step;
  private final double highest;
  private final Html html = new Html();

  private DayGraph(PastView past, Instant now) {
    List<IntervalView> all = past.intervals();
    this.intervals = all.subList(Math.max(0, all.size() - MAX_INTERVALS), all.size());
    this.first = Rfc3339.readOrEpoch(intervals.getFirst().start());
    this.step = (double) Math.clamp(past.stepSeconds(), 60L, 86_400L);
    this.seconds =
        Math.max(step, Math.min(2 * 86_400.0, (double) Duration.between(first, now).toSeconds()));
    this.highest =
        AxisScale.top(
            intervals.stream().mapToDouble(each -> bounded(each.p99Ms())).max().orElse(1));
  }

  /**
   * Draws the graph.
   *
   * @param past with at least one interval
   * @return one element
   */
  static Html of(PastView past, Instant now) {
    return new DayGraph(past, now).draw();
  }

  private static double bounded(double millis) {
    return millis > 0 ? Math.min(millis, 1e9) : 0;
  }

  private Html draw() {
    long failed = intervals.stream().mapToLong(IntervalView::failed).sum();
    html.open(
        "svg",
        "class",
        "day",
        "viewBox",
        AxisScale.VIEW_BOX,
        "role",
        "img",
        "aria-label",
        "%d intervals since %s ago, %d failures, latency up to %s"
            .formatted(intervals.size(), ago(seconds), failed, Sparkline.millis(highestLatency())));
    AxisScale.latencies(html, highest);
    for (int i = 0; i <= LABELS; i++) {
      double back = seconds * (LABELS - i) / LABELS;
      AxisScale.below(html, WIDTH * i / LABELS, i == LABELS ? "now" : ago(back) + " ago");
    }
    intervals.forEach(this::failures);
    line("p99", true);
    line("p50", false);
    return html.close("svg");
  }

  private double highestLatency() {
    return intervals.stream().mapToDouble(each -> bounded(each.p99Ms())).max().orElse(0);
  }

  private static String ago(double seconds) {
    return Ago.length(Duration.ofSeconds((long) seconds));
  }

  private double x(IntervalView interval) {
    double at = (double) Duration.between(first, Rfc3339.readOrEpoch(interval.start())).toSeconds();
    return Math.clamp(at / seconds, 0, 1) * WIDTH;
  }

  private double width() {
    return Math.max(1, step / seconds * WIDTH);
  }

  private void failures(IntervalView interval) {
    double all = (double) interval.up() + interval.failed();
    if (interval.failed() > 0 && all > 0) {
      double height = Math.max(2, HEIGHT * Math.clamp(interval.failed() / all, 0, 1));
      double left = x(interval);
      html.empty(
          "rect",
          "class",
          "down",
          "x",
          number(left),
          "y",
          "0",
          "width",
          number(Math.min(width(), WIDTH - left)),
          "height",
          number(height));
    }
  }

  private void line(String style, boolean slowest) {
    StringBuilder path = new StringBuilder();
    double before = -1;
    for (IntervalView interval : intervals) {
      double x = x(interval);
      double millis = bounded(slowest ? interval.p99Ms() : interval.p50Ms());
      double y = HEIGHT - Math.min(1, millis / highest) * HEIGHT;
      boolean gap = before < 0 || x - before > 1.5 * width();
      path.append(gap ? 'M' : 'L').append(number(x)).append(' ').append(number(y));
      path.append('L').append(number(Math.min(WIDTH, x + width()))).append(' ').append(number(y));
      before = x;
    }
    html.empty("path", "class", style, "d", path.toString());
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  /** {@return what the marks mean, in words} */
  static Html legend() {
    return new Html()
        .open("p", "class", "legend quiet")
        .open("span", "class", "key key-p50")
        .text("median latency")
        .close("span")
        .open("span", "class", "key key-p99")
        .text("99th percentile")
        .close("span")
        .open("span", "class", "key key-down")
        .text("share of failures, from the top")
        .close("span")
        .close("p");
  }
}
