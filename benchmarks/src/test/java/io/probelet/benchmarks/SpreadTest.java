package io.probelet.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpreadTest {
  @Test
  @DisplayName("the median lies in the middle, whatever the order")
  void median() {
    assertThat(Spread.range(List.of(9.0, 1.0, 2.0))).isEqualTo(new Spread(2, 1, 9));
    assertThat(Spread.range(List.of(4.0, 1.0, 2.0, 9.0))).isEqualTo(new Spread(3, 1, 9));
    assertThat(Spread.range(List.of(7.0))).isEqualTo(new Spread(7, 7, 7));
  }

  @ParameterizedTest
  @CsvSource({
    // figures, the smallest and the largest of 1..n that bound it, certainty of tables of the sign
    // test
    "1, 1, 1, 0.0",
    "5, 1, 5, 0.9375",
    "6, 1, 6, 0.96875",
    "8, 1, 8, 0.9921875",
    "9, 2, 8, 0.9609375",
    "12, 3, 10, 0.961426",
    "20, 6, 15, 0.958611"
  })
  @DisplayName("the interval is the narrowest that holds the median with 95 %")
  void confidence(int figures, double low, double high, double certainty) {
    List<Double> all = IntStream.rangeClosed(1, figures).mapToObj(Double::valueOf).toList();

    assertThat(Spread.confidence(all)).isEqualTo(new Spread((figures + 1) / 2.0, low, high));
    assertThat(Spread.certainty(figures)).isCloseTo(certainty, within(1e-6));
  }

  @Test
  @DisplayName("one window that went wrong does not widen the interval of nine")
  void outlier() {
    List<Double> all = List.of(1.0, 1.1, 1.2, 1.0, 1.1, 1.2, 1.1, 1.1, 50.0);

    assertThat(Spread.confidence(all)).isEqualTo(new Spread(1.1, 1.0, 1.2));
  }

  @Test
  @DisplayName("nothing has no median")
  void none() {
    assertThatThrownBy(() -> Spread.range(List.of())).hasMessageContaining("at least one figure");
  }
}
