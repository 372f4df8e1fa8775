package io.probelet.health;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** P-18: durations as Go reads and writes them. */
class GoDurationTest {
  @ParameterizedTest
  @CsvSource({
    "0, PT0S",
    "-0, PT0S",
    "250ms, PT0.25S",
    "1.5s, PT1.5S",
    "2m, PT2M",
    "1h30m, PT1H30M",
    "-1m30s, PT-1M-30S",
    "+5s, PT5S",
    ".5s, PT0.5S",
    "1.s, PT1S",
    "100us, PT0.0001S",
    "100µs, PT0.0001S",
    "100μs, PT0.0001S",
    "1.9ns, PT0.000000001S",
    "30s2m, PT2M30S",
    "9223372036854775807ns, PT2562047H47M16.854775807S"
  })
  @DisplayName("P-18 parses Go's notation")
  void parses(String text, Duration expected) {
    assertThat(GoDuration.parse(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "1", "s", "1d", "1 s", "1,5s", "--1s", "1s2", ".", "-", "1S", "٣s", "."})
  @DisplayName("P-18 rejects everything else, and shows how to write it")
  void rejects(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GoDuration.parse(text))
        .withMessage("\"" + text + "\" is not a duration; write it like 250ms, 1.5s or 2m");
  }

  @ParameterizedTest
  @ValueSource(strings = {"9223372036854775808ns", "3000000h", "-2562048h"})
  @DisplayName("P-18 rejects what Go could not hold")
  void tooLong(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GoDuration.parse(text))
        .withMessageContaining("292 years");
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0s",
    "PT1S, 1s",
    "PT1.5S, 1.5s",
    "PT1M30S, 1m30s",
    "PT2M, 2m0s",
    "PT1H, 1h0m0s",
    "PT25H0.1S, 25h0m0.1s",
    "PT0.25S, 250ms",
    "PT0.0001S, 100µs",
    "PT0.000000007S, 7ns",
    "PT-1.5S, -1.5s"
  })
  @DisplayName("formats as Go does")
  void formats(Duration duration, String expected) {
    assertThat(GoDuration.format(duration)).isEqualTo(expected);
    assertThat(GoDuration.parse(expected)).isEqualTo(duration);
  }
}
