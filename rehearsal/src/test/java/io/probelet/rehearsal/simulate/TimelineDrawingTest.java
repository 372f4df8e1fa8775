package io.probelet.rehearsal.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.simulation.Timeline;
import io.probelet.nodehealth.simulation.Timeline.Hold;
import io.probelet.nodehealth.simulation.Timeline.Span;
import io.probelet.nodehealth.simulation.Timeline.Turn;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a drawing shows of a timeline, and how large it can get. */
class TimelineDrawingTest {
  private static final String EVIL = "<script>alert(1)</script>\"'&";

  private final List<Span> spans = new ArrayList<>();
  private final List<Hold> holds = new ArrayList<>();
  private final List<Turn> turns = new ArrayList<>();

  @Test
  @DisplayName("names, kinds and reasons are text, whatever is in them")
  void hostile() {
    spans.add(new Span(EVIL, "", sec(0), sec(7000)));
    spans.add(new Span(EVIL, EVIL, sec(0), sec(7000)));
    holds.add(new Hold(EVIL, "x", EVIL, sec(0), sec(7000)));
    turns.add(new Turn(EVIL, EVIL, sec(10), false));
    assertThat(draw()).contains("&lt;script&gt;").doesNotContain("<script", EVIL);
  }

  @Test
  @DisplayName("of 20,000 nodes that all fared differently 60 are drawn, those that had it worst")
  void manyLanes() {
    for (int i = 0; i < 20_000; i++) {
      spans.add(new Span("n" + i, "", sec(0), sec(i * 0.3)));
    }
    String drawing = draw();
    assertThat(drawing)
        .contains(">n19999<", ">and 19940 more lanes, unhealthy for less time<")
        .doesNotContain(">n17<")
        .hasSizeLessThan(60_000);
  }

  @Test
  @DisplayName("of a node that flaps for ever 100 bars of each sort are drawn, and that is said")
  void manyBars() {
    for (int i = 0; i < 5000; i++) {
      spans.add(new Span("n", "", sec(i), sec(i + 0.5)));
      spans.add(new Span("n", "Reboot", sec(i), sec(i + 0.5)));
      holds.add(new Hold("n", "Excluded", "left alone", sec(i), sec(i + 0.5)));
      holds.add(new Hold("", "StormRecovery", "a storm", sec(i), sec(i + 0.5)));
      turns.add(new Turn("n", "Reboot", sec(i), true));
    }
    assertThat(draw())
        .contains(">only the first 100 bars of each sort are drawn<")
        .hasSizeLessThan(150_000);
  }

  @Test
  @DisplayName("a timeline in which nothing happened says so")
  void nothing() {
    assertThat(draw())
        .contains(
            ">no node was unhealthy for longer than its duration<",
            "aria-label=\"Timeline of 2h0m0s: 0 nodes unhealthy, 0 remediations, 0 given up, 0 waits\"");
  }

  private String draw() {
    Timeline timeline =
        new Timeline(List.of(), spans, holds, turns, Duration.ofHours(2), List.of());
    return TimelineDrawing.of(timeline).toString();
  }

  private static Duration sec(double seconds) {
    return Duration.ofMillis((long) (seconds * 1000));
  }
}
