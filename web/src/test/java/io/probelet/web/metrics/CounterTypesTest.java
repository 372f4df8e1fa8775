package io.probelet.web.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Counters of another program. */
class CounterTypesTest {
  private static final String TEXT =
      """
      # HELP problem_counter # TYPE problem_counter untyped
      # TYPE problem_counter untyped
      problem_counter{reason="# TYPE problem_counter untyped"} 1.0
      # TYPE other untyped
      other 2.0
      # EOF\
      """;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 1000})
  @DisplayName("A-8 the type of these is counter, however the text is cut; the rest stays")
  void types(int piece) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    byte[] text = TEXT.getBytes(StandardCharsets.UTF_8);
    CounterTypes typed = new CounterTypes(out, Set.of("problem_counter"));
    for (int from = 0; from < text.length; from += piece) {
      typed.write(text, from, Math.min(piece, text.length - from));
    }
    typed.flush();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .isEqualTo(
            TEXT.replace("\n# TYPE problem_counter untyped", "\n# TYPE problem_counter counter"));
  }
}
