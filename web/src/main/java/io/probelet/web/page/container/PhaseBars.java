package io.probelet.web.page.container;

import io.probelet.web.api.ContainerView.OutcomeView;
import io.probelet.web.api.ContainerView.PhasesView;
import io.probelet.web.page.Html;
import io.probelet.web.page.Sparkline;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A probe's latencies as bars, the newest at the right, each stacked of its phases from the bottom.
 * The table below has the numbers.
 */
final class PhaseBars {
  private static final int MAX_BARS = 60;
  private static final int STEP = 10;
  private static final int BAR = 8;
  private static final int WIDTH = MAX_BARS * STEP;
  private static final int HEIGHT = 120;

  /** In the order of time, from the bottom; the classes of the style sheet. */
  private static final List<String> NAMES =
      List.of("before", "resolve", "connect", "tls", "first-byte", "rest");

  private PhaseBars() {}

  /** {@return one element for some outcomes, oldest first} */
  static Html of(List<OutcomeView> history) {
    List<OutcomeView> drawn =
        history.subList(Math.max(0, history.size() - MAX_BARS), history.size());
    double longest = 0.001;
    for (OutcomeView outcome : drawn) {
      longest = Math.max(longest, bounded(outcome.latencyMs()));
    }
    double highest = AxisScale.top(longest);
    Html bars =
        new Html()
            .open(
                "svg",
                "class",
                "phases",
                "viewBox",
                AxisScale.VIEW_BOX,
                "role",
                "img",
                "aria-label",
                "phases of the last "
                    + drawn.size()
                    + " probes, the longest "
                    + Sparkline.millis(longest));
    AxisScale.latencies(bars, highest);
    AxisScale.below(bars, WIDTH - STEP * drawn.size(), drawn.size() > 12 ? "oldest" : "");
    AxisScale.below(bars, WIDTH, "newest");
    int x = WIDTH - STEP * drawn.size();
    for (OutcomeView outcome : drawn) {
      bar(bars, outcome, x, highest);
      x += STEP;
    }
    return bars.close("svg");
  }

  private static void bar(Html bars, OutcomeView outcome, int x, double highest) {
    double total = bounded(outcome.latencyMs());
    double done = 0;
    int bottom = HEIGHT;
    double[] phases = phases(outcome.phases(), total);
    for (int i = 0; i < phases.length; i++) {
      done = Math.min(total, done + phases[i]);
      int top = HEIGHT - (int) Math.round(done / highest * HEIGHT);
      if (top < bottom) {
        bars.empty(
            "rect",
            "class",
            "phase-" + NAMES.get(i),
            "x",
            String.valueOf(x),
            "y",
            String.valueOf(top),
            "width",
            String.valueOf(BAR),
            "height",
            String.valueOf(bottom - top));
        bottom = top;
      }
    }
  }

  /** The phases, and last the rest of the whole. */
  private static double[] phases(@Nullable PhasesView phases, double total) {
    if (phases == null) {
      return new double[] {0, 0, 0, 0, 0, total};
    }
    return new double[] {
      known(phases.before()),
      known(phases.resolve()),
      known(phases.connect()),
      known(phases.tls()),
      known(phases.firstByte()),
      total
    };
  }

  private static double known(@Nullable Double millis) {
    return millis == null ? 0 : bounded(millis);
  }

  private static double bounded(double millis) {
    return millis > 0 ? Math.min(millis, 1e9) : 0;
  }

  /** {@return the legend} */
  static Html legend() {
    Html legend = new Html().open("p", "class", "legend quiet").text("From the bottom: ");
    for (String name : NAMES) {
      legend
          .open("span", "class", "key phase-" + name)
          .text(name.equals("tls") ? "TLS" : name.replace('-', ' '))
          .close("span")
          .text(" ");
    }
    return legend.close("p");
  }
}
