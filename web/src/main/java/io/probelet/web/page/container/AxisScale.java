package io.probelet.web.page.container;

import io.probelet.web.page.Html;
import io.probelet.web.page.Sparkline;

/** The scales of graphs that are 600 wide and 120 high: latencies at the left, times below. */
final class AxisScale {
  /** Leaves room for the scales around a graph from 0 0 to 600 120. */
  static final String VIEW_BOX = "-80 -20 700 170";

  private static final int WIDTH = 600;
  private static final int HEIGHT = 120;
  private static final int TEXT = 4;
  private static final int BELOW = 20;

  private AxisScale() {}

  /** {@return the next of 1, 2, 5, 10, 20, … that is not below a value, at least 0.01} */
  static double top(double value) {
    double decade = 0.01;
    while (decade < 1e9) {
      for (int step : new int[] {1, 2, 5}) {
        if (step * decade >= value) {
          return step * decade;
        }
      }
      decade *= 10;
    }
    return 1e9;
  }

  /** Draws the scale of latencies: nothing, half and all of the highest. */
  static void latencies(Html html, double highest) {
    for (int half = 0; half <= 2; half++) {
      int y = HEIGHT - HEIGHT * half / 2;
      html.empty("path", "class", "tick", "d", "M0 " + y + "h" + WIDTH);
      html.element(
          "text",
          half == 0 ? "0" : Sparkline.millis(highest * half / 2),
          "x",
          "-6",
          "y",
          String.valueOf(y + TEXT),
          "text-anchor",
          "end");
    }
  }

  /** Writes a time below the graph. */
  static void below(Html html, int x, String text) {
    html.element(
        "text",
        text,
        "x",
        String.valueOf(x),
        "y",
        String.valueOf(HEIGHT + BELOW),
        "text-anchor",
        x == 0 ? "start" : x >= WIDTH ? "end" : "middle");
  }
}
