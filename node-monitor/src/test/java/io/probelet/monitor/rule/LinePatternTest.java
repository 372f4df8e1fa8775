package io.probelet.monitor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.monitor.rule.LinePattern.Scope;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LinePatternTest {

  @ParameterizedTest
  @CsvSource({
    "b, true",
    "a b, true",
    "b a, false",
    "a, false",
    "ab, true",
  })
  @DisplayName("A-2 a pattern must match up to the end of the newest line")
  void boundToTheEnd(String text, boolean matches) {
    assertThat(LinePattern.parse("b").find(text).isPresent()).isEqualTo(matches);
  }

  @ParameterizedTest
  @CsvSource({"xb, true", "bx, false", "ax, true", "xa, true", "'a\nx', true", "'b\nx', false"})
  @DisplayName("NM-3 a|b without a group: b only at the end, a anywhere")
  void alternationIsNotGrouped(String text, boolean matches) {
    assertThat(LinePattern.parse("a|b").find(text).isPresent()).isEqualTo(matches);
  }

  @Test
  @DisplayName("A-2 an expression that backtracking would never finish takes linear time")
  void linearTime() {
    assertThat(LinePattern.parse("(a*)*(a*)*(a*)*b").find("a".repeat(5_000) + "c")).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"x[[:ab]y", "([[:a])z"})
  @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
  @DisplayName("A-2 a bracket and a colon without a class name are parsed")
  void noNamedClass(String expression) {
    assertThat(LinePattern.parse(expression).find("no match;")).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '~',
      value = {
        "Killed process \\d+ (.+) total-vm:\\d+kB; true; Killed process ",
        "task [\\S ]+:\\w+ blocked for more than; true; ' blocked for more than'",
        "(foo|bar)? bazz; true; ' bazz'",
        "abcd*xyz; true; abc",
        "abc+x{2,3}def; true; abc",
        "one|two; false; one,two",
        "one|t; false; ",
        "first.*\\nsecond; false; second",
        "(?i)oops there; false; ",
        "[[:alpha:]]oops; false; oops",
        "[]x]oops; true; oops",
        "[^x]oops; false; oops",
        "[a\\]]oops; true; oops",
        "^oops; false; oops",
        "\\s+oops; false; oops",
        "\\pNoops; false; ",
        "a\\.b\\.c; true; a.b.c",
        "ends\\.$; true; ends.",
        "x; true; ",
      })
  @DisplayName("A-2 required literals of a pattern are found, or unknown")
  void scope(String expression, boolean newestLineOnly, String literals) {
    Scope scope = LinePattern.parse(expression).scope();
    List<String> expected =
        literals == null
            ? List.of()
            : Arrays.stream(literals.replace("'", "").split(",", -1)).toList();
    assertThat(scope.newestLineOnly()).isEqualTo(newestLineOnly);
    assertThat(scope.literals().stream().map(String::strip).toList())
        .isEqualTo(expected.stream().map(String::strip).toList());
  }
}
