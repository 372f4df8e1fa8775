package io.probelet.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A2: expressions of a stranger, which once ended the event loop or the heap. */
class BodyPatternTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "(a?){1000}              | compiles to 4002 instructions, at most 1000 are allowed",
        "(.*){500}               | compiles to 2002 instructions, at most 1000 are allowed",
        "(.{0,500}){2}           | its length times its repetition counts exceeds 10000",
        "((a{100}){100}){100}    | its length times its repetition counts exceeds 10000",
        "((((((a?){9}){9}){9}))) | its length times its repetition counts exceeds 10000",
        "(                       | must be an RE2 regular expression: error parsing regexp: missing closing ): `(`",
        "(?=a)                   | must be an RE2 regular expression: error parsing regexp: invalid",
      })
  @DisplayName("too large, or not an expression: a plain error says which")
  void refused(String pattern, String why) {
    assertThatThrownBy(() -> BodyPattern.of(pattern))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(why);
  }

  @Test
  @DisplayName("nesting as deep as the length allows overflows no stack")
  void nested() {
    String deep = "(".repeat(249) + "a" + ")".repeat(249);
    assertThat(BodyPattern.of(deep).programSize()).isLessThanOrEqualTo(BodyPattern.MAX_PROGRAM);
    assertThatThrownBy(() -> BodyPattern.of("(" + deep + "){20}" + "b".repeat(20)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @DisplayName("240 expressions of the largest size leave their text, not their programs")
  void many() {
    for (int i = 0; i < 240; i++) {
      assertThat(BodyPattern.of("x{" + (100 + i) + "}").programSize()).isGreaterThan(100);
    }
  }

  @Test
  @DisplayName("a class of Unicode is one instruction with a table of KiB, and counts as many")
  void tables() {
    assertThat(BodyPattern.of("^\\p{Greek}+ \\PN$").programSize()).isBetween(100, 150);
    assertThatThrownBy(() -> BodyPattern.of("\\pL".repeat(160)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at most 1000 are allowed");
  }

  @ParameterizedTest
  @CsvSource({"^ok$,10", "'\"status\": ?\"(UP|OK)\"',30", "'[0-9a-f]{8,64}',140"})
  @DisplayName("usual expressions are small")
  void usual(String pattern, int atMost) {
    assertThat(BodyPattern.of(pattern).programSize()).isLessThanOrEqualTo(atMost);
  }
}
