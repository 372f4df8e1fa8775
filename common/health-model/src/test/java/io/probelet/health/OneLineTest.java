package io.probelet.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OneLineTest {
  private static final Pattern UNICODE = Pattern.compile("\\\\u([0-9a-f]{4})");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          plain text, näh 😀   | plain text, näh 😀
          one\\ntwo            | one two
          one\\ttwo            | one two
          one\\u2028two        | one two
          one\\u2029two        | one two
          one\\r\\ntwo         | one two
          a\\u001b[2J\\u001b[1;31mred\\u001b[0m | ared
          a\\u001bcb           | ab
          a\\u009b31mb         | a31mb
          a\\u0085b            | ab
          a\\u0000b            | ab
          a\\u202eb\\u2066c    | abc
          a\\ufeffb\\u200bc    | abc
          a\\ud800b            | ab
          a\\u007fb            | ab
          a\\u001b[            | a
          """)
  void hostileTextBecomesOnePlainLine(String text, String shown) {
    String raw =
        UNICODE
            .matcher(text)
            .replaceAll(found -> Character.toString(Integer.parseInt(found.group(1), 16)))
            .translateEscapes();
    assertThat(OneLine.of(raw, 100)).isEqualTo(shown);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "\u001b", "\n", "\u202e", "😀", "\u001b["})
  void longTextIsCut(String text) {
    assertThat(OneLine.of(text.repeat(5_000), 64)).hasSizeLessThanOrEqualTo(64);
    assertThat(OneLine.beginning(text.repeat(5_000), 64)).hasSizeLessThanOrEqualTo(64);
  }

  @ParameterizedTest
  @CsvSource({"abcd,3,ab…,abc", "abc,3,abc,abc", "a😀b,3,a…,a😀"})
  void theEllipsisShowsTheCut(String text, int max, String shown, String beginning) {
    assertThat(OneLine.of(text, max)).isEqualTo(shown);
    assertThat(OneLine.beginning(text, max)).isEqualTo(beginning);
  }
}
