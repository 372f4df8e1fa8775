package io.probelet.web.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Rfc3339Test {
  private static final DateTimeFormatter JDK =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSXXX", Locale.ROOT)
          .withZone(ZoneOffset.UTC);

  @Test
  @DisplayName("times are written as the JDK writes them, and read again")
  void asTheJdk() {
    SplittableRandom random = new SplittableRandom(19);
    for (int i = 0; i < 10_000; i++) {
      Instant time = Instant.ofEpochMilli(random.nextLong(253_402_300_800_000L));
      String text = Rfc3339.text(time.plusNanos(999_999));
      assertThat(text).isEqualTo(JDK.format(time));
      assertThat(Rfc3339.read(text)).isEqualTo(time);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "1969-12-31T23:59:59.999Z, 1969-12-31T23:59:59.999Z",
    "+10000-01-01T00:00:00Z,   +10000-01-01T00:00:00Z",
    "2026-11-22T12:00:00.1Z,   2026-11-22T12:00:00.100Z",
  })
  void others(Instant time, String text) {
    assertThat(Rfc3339.text(time)).isEqualTo(text);
    assertThat(Rfc3339.read(text)).isEqualTo(time);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yesterday",
        "1970-01-01T25:00:00.000Z",
        "1970-01-01T12:60:00.000Z",
        "1970-01-01T12:00:60.000Z",
        "1970-01-01T12:00:-1.000Z",
        "1970-01-01T12:00:00.00aZ",
        "1970-01-01 12:00:00.000Z",
        "1970-01-01T12:00:00.000\u0663"
      })
  void noTimes(String text) {
    assertThat(Rfc3339.text(Instant.EPOCH)).startsWith("1970-01-01");
    assertThatThrownBy(() -> Rfc3339.read(text)).isInstanceOf(DateTimeException.class);
  }
}
