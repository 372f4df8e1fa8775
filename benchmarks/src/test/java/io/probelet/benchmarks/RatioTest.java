package io.probelet.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RatioTest {
  private static final List<Double> STEADY = List.of(10.0, 10.0, 10.0, 10.0, 10.0);

  @Test
  @DisplayName("what slows both of a pair down does not change the ratio")
  void pairs() {
    Ratio ratio =
        Ratio.of(List.of(12.0, 24.0, 12.6, 60.0, 11.4), List.of(10.0, 20.0, 10.0, 50.0, 10.0));

    assertThat(ratio.isSure()).isTrue();
    assertThat(ratio.text()).isEqualTo("1.20 (1.14..1.26)");
  }

  @Test
  @DisplayName("pairs too far apart tell nothing")
  void wide() {
    Ratio ratio = Ratio.of(List.of(10.0, 11.0, 12.0, 13.0, 14.0), STEADY);

    assertThat(ratio.isSure()).isFalse();
    assertThat(ratio.text()).isEqualTo("refused: 1.00..1.40 is wider than 25 %");
  }

  @Test
  @DisplayName("a quarter is near enough")
  void limit() {
    assertThat(Ratio.of(List.of(7.1, 8.0, 8.0, 8.0, 9.0), STEADY).isSure()).isTrue();
    assertThat(Ratio.of(List.of(6.9, 8.0, 8.0, 8.0, 9.1), STEADY).isSure()).isFalse();
  }

  @Test
  @DisplayName("few pairs tell nothing, however near they are")
  void few() {
    Ratio ratio = Ratio.of(List.of(10.0, 10.0, 10.0, 10.0), STEADY);

    assertThat(ratio.text()).isEqualTo("refused: 4 pairs, at least 5 wanted");
  }

  @Test
  @DisplayName("a contender that did nothing has no ratio")
  void nothing() {
    double none = 0.0 / 0.0;

    assertThat(Ratio.of(List.of(none, none, none, none, none), STEADY).isSure()).isFalse();
  }
}
