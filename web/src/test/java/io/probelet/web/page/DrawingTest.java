package io.probelet.web.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.probelet.web.page.OutcomeStrip.Mark;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The small things that all pages draw. */
class DrawingTest {
  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");

  @Test
  @DisplayName("a strip has runs of shapes and says in words what they show")
  void strip() {
    assertThat(
            OutcomeStrip.of(List.of(Mark.GOOD, Mark.GOOD, Mark.FAILED, Mark.WARNING, Mark.UNKNOWN))
                .toString())
        .isEqualTo(
            "<span class=\"strip\" role=\"img\" aria-label=\"last 5: 2 good, 1 warning, 1 failed,"
                + " 1 unknown, newest unknown\"><span class=\"good\">●●</span>"
                + "<span class=\"failed\">✕</span><span class=\"warning\">▲</span>"
                + "<span class=\"unknown\">·</span></span>");
    assertThat(OutcomeStrip.of(List.of()).toString()).contains("nothing yet");
  }

  @Test
  @DisplayName("a strip has the newest 60")
  void longStrip() {
    List<Mark> marks = new java.util.ArrayList<>(Collections.nCopies(500, Mark.FAILED));
    marks.addAll(Collections.nCopies(60, Mark.GOOD));
    assertThat(OutcomeStrip.of(marks).toString()).contains("●".repeat(60)).doesNotContain("✕");
  }

  @ParameterizedTest
  @CsvSource({
    "successful, GOOD",
    "warning, WARNING",
    "failed, FAILED",
    "error, UNKNOWN",
    "<b>, UNKNOWN"
  })
  void marks(String result, Mark mark) {
    assertThat(Mark.ofOutcome(result)).isEqualTo(mark);
  }

  @Test
  @DisplayName("a line of latencies has its timeout at the top, equal ones in one stroke")
  void sparkline() {
    assertThat(Sparkline.of(new double[] {1, 1, 1, 1000}, OptionalDouble.of(1000)).toString())
        .contains("aria-label=\"latency 1 ms to 1000 ms, newest 1000 ms, timeout 1000 ms\"")
        .contains("<path class=\"limit\" d=\"M0 2h120\"/>")
        .contains("<path d=\"M112 17h6v-15h2\"/>");
    assertThat(Sparkline.of(new double[0], OptionalDouble.empty()).toString())
        .contains("no latencies yet")
        .doesNotContain("<path");
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {-1, 0, Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, 1e300})
  @DisplayName("an agent that was taken over cannot draw outside")
  void strangeLatencies(double latency) {
    double[] all = new double[100_000];
    Arrays.fill(all, latency);
    all[all.length - 1] = 5;
    String drawn = Sparkline.of(all, OptionalDouble.of(latency)).toString();
    assertThat(drawn).hasSizeLessThan(1000);
    assertThat(drawn).containsPattern("d=\"M0 (2|22)h118v-?[0-9]+h2\"");
  }

  @ParameterizedTest
  @CsvSource({
    "0.0012, 0 ms",
    "0.456, 0.46 ms",
    "1.234, 1.23 ms",
    "1.2, 1.2 ms",
    "9.999, 10 ms",
    "12.34, 12.3 ms",
    "100, 100 ms",
    "1234.6, 1235 ms"
  })
  void latencies(double latency, String text) {
    assertThat(Sparkline.millis(latency)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "PT0.9S, 0s ago",
    "PT12S, 12s ago",
    "PT4M12S, 4m12s ago",
    "PT3H5M59S, 3h5m ago",
    "PT51H, 2d3h ago",
    "PT-0.5S, in 0s",
    "PT-7S, in 7s"
  })
  void ago(Duration ago, String text) {
    assertThat(Ago.text(NOW.minus(ago), NOW)).isEqualTo(text);
  }

  @Test
  @DisplayName("a time is there exactly as well, and what is none is text")
  void times() {
    assertThat(Ago.of("2026-11-22T11:55:48.000123Z", NOW).toString())
        .isEqualTo(
            "<time class=\"ago\" datetime=\"2026-11-22T11:55:48.000Z\""
                + " title=\"2026-11-22T11:55:48.000Z\">4m11s ago</time>");
    assertThat(Ago.of("<script>" + "x".repeat(100), NOW).toString())
        .isEqualTo("<span>&lt;script&gt;" + "x".repeat(32) + "</span>");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a b", "a\nb", "a\u0085b"})
  void keys(String key) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Fragment(key, 1, Html::new))
        .withMessageContaining("1 to 1024 characters and no white space");
  }

  @Test
  @DisplayName("a live region names its stream, the time and what it shows")
  void region() {
    List<Fragment> fragments =
        List.of(
            new Fragment("a", 10, () -> new Html().element("p", "x", "id", "a")),
            new Fragment("b", 255, () -> new Html().element("p", "y", "id", "b")));
    assertThat(LiveRegion.of("main", "live?q=1", fragments, NOW).toString())
        .isEqualTo(
            "<main id=\"live\" data-live=\"live?q=1\" data-now=\"2026-11-22T12:00:00Z\""
                + " data-tags=\"a ff\"><p id=\"a\">x</p><p id=\"b\">y</p></main>");
  }
}
