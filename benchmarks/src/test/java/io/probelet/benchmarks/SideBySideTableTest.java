package io.probelet.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.benchmarks.SideBySide.Result;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SideBySideTableTest {
  private static final List<String> REMARKS = List.of("start lag p50 1 ms");

  /** Windows of two seconds with 100 probes each and nothing beside them. */
  private static Result result(String name, int... micros) {
    return new Result(
        name,
        Arrays.stream(micros).mapToObj(each -> window(each, 100L * each)).toList(),
        30,
        40,
        1.5,
        name.equals("ours") ? REMARKS : List.of());
  }

  private static MeasuredWindow window(int microsPerProbe, long busy) {
    return new MeasuredWindow(
        2, 100L * microsPerProbe, 100, 100L * microsPerProbe, new MachineTimes(busy, 0));
  }

  @Test
  @DisplayName("the last contender is the measure of the others")
  void table() {
    List<String> lines =
        SideBySideTable.lines(
            List.of(result("ours", 12, 12, 13, 12, 11), result("theirs", 10, 10, 10, 10, 10)));

    assertThat(lines.get(0)).endsWith("× theirs");
    assertThat(lines.get(1))
        .startsWith("ours")
        .contains("11.0..13.0")
        .endsWith("1.20 (1.10..1.30)");
    assertThat(lines.get(2)).startsWith("theirs").doesNotContain("refused");
    assertThat(lines.get(3)).contains("5 windows").contains("94 % certainty");
    assertThat(lines.get(4)).contains("0 of 10 windows disturbed");
    assertThat(lines).last().isEqualTo("ours: start lag p50 1 ms");
  }

  @Test
  @DisplayName("the first contender is compared with those between it and the last, too")
  void between() {
    List<String> lines =
        SideBySideTable.lines(
            List.of(
                result("ours", 12, 12, 12, 12, 12),
                result("between", 6, 6, 6, 6, 6),
                result("last", 10, 10, 10, 10, 10)));

    assertThat(lines).contains("ours: 2.00 (2.00..2.00) × between");
  }

  @Test
  @DisplayName("no ratio where the windows are too far apart")
  void refused() {
    List<String> lines =
        SideBySideTable.lines(
            List.of(result("ours", 12, 30, 13, 12, 11), result("theirs", 10, 10, 10, 10, 10)));

    assertThat(lines.get(1)).endsWith("refused: 1.10..3.00 is wider than 25 %");
  }

  @Test
  @DisplayName("what other programs took is said")
  void others() {
    MeasuredWindow disturbed =
        new MeasuredWindow(2, 1000, 100, 1000, new MachineTimes(401_000, 200_000));
    List<String> lines =
        SideBySideTable.lines(
            List.of(
                new Result(
                    "ours",
                    List.of(window(10, 1000), disturbed, disturbed),
                    30,
                    40,
                    1,
                    List.of())));

    assertThat(lines)
        .anySatisfy(line ->
            assertThat(line)
                .contains("took 20.0 % of a core (at most 20.0), the host 10.0 % (at most 10.0)")
                .contains("2 of 3 windows disturbed"));
  }

  @Test
  @DisplayName("one contender alone has nothing beside it")
  void alone() {
    List<String> lines = SideBySideTable.lines(List.of(result("ours", 12)));

    assertThat(lines).noneMatch(line -> line.contains("×") || line.contains("certainty"));
  }
}
