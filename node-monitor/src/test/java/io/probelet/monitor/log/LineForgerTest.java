package io.probelet.monitor.log;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.monitor.log.LineForger.Budget;
import io.probelet.monitor.rule.LinePattern;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** matching lines with names chosen by a tenant. */
class LineForgerTest {
  private static Optional<String> forged(String expression, String format) {
    return new LineForger(PatternAutomaton.of(expression + "\\z"), new Budget(1_000_000))
        .forge(new KernelFormat(format, ""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " -> ",
      value = {
        "^a(b|c)d+$ -> %TEXT%",
        "x{2,5}y? -> %TEXT%",
        "[a-c]\\d\\s[[:digit:]]+[^x]\\. -> %TEXT%",
        "(?P<n>q)*z|never$ -> %TEXT%",
        "^(?i)OOPS(?-i:x) -> %TEXT%",
        "^process '.*' launched.* -> process '%COMM%' launched '/%TEXT%' with NULL argv",
        "^process ''x'' .* -> process %COMM% launched",
        "^mce: .* -> %COMM%[4242]: segfault",
        "\\bBUG: unable\\b.* -> in %FILE%[1+2]",
        "a|^b -> x %COMM%",
        "[^ /:]{3}: .* -> %DEVICE%: link up",
      })
  @DisplayName("A-11 a found line matches the pattern and has the format")
  void found(String expression, String format) {
    String line = forged(expression, format).orElseThrow();
    assertThat(LinePattern.parse(expression).find(line)).as(line).isPresent();
    String shape =
        Stream.of(format.split("%[A-Z]+%", -1)).map(Pattern::quote).collect(joining(".+"));
    assertThat(Pattern.matches(shape, line)).as(line).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = " -> ",
      value = {
        "^b -> x %TEXT%",
        "a$ -> %TEXT%.",
        "a{16} -> -%COMM%-",
        "^a/b -> %FILE%",
        "a b -> %DEVICE%",
        "^EXT4-fs \\(\\w+\\): x -> %COMM%[4242]: segfault",
        "\\n -> %TEXT%",
      })
  @DisplayName("A-11 no line is found if no name can match")
  void notFound(String expression, String format) {
    assertThat(forged(expression, format)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(",
        "[",
        "[^",
        "a{99999}",
        "(?P<",
        "\\",
        "(?",
        "x{1000}{1000}",
        "[[:",
        "\\pN",
        ")"
      })
  @DisplayName("A-11 every search is bounded and fails in no other way")
  void odd(String expression) {
    assertThatThrownBy(() -> PatternAutomaton.of(expression))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> PatternAutomaton.of("(".repeat(5000) + expression))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @DisplayName("A-11 a search beyond the budget finds nothing and reports it")
  void spent() {
    Budget budget = new Budget(10_000);
    LineForger forger =
        new LineForger(PatternAutomaton.of("^" + "(\\w*x|.*y)?".repeat(340) + "$"), budget);
    KernelFormat.ALL.forEach(format -> forger.forge(format));
    assertThat(budget.isSpent()).isTrue();
    LineForger next = new LineForger(PatternAutomaton.of("a"), budget);
    assertThat(next.forge(new KernelFormat("%TEXT%", ""))).isEmpty();
  }
}
