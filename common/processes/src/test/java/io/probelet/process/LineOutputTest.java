package io.probelet.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LineOutputTest {
  private final List<String> lines = new ArrayList<>();
  private final LineOutput output = new LineOutput(8, lines::add);

  private void write(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    output.write(bytes, 0, bytes.length);
  }

  @Test
  @DisplayName("lines are passed on when they end, the last one at the end of output")
  void wholeLines() {
    write("one\n\ntw");
    assertThat(lines).containsExactly("one", "");
    write("o\nhä");
    output.close();
    assertThat(lines).containsExactly("one", "", "two", "hä");
    output.close();
    assertThat(lines).hasSize(4);
  }

  @Test
  @DisplayName("a long line is truncated, and the next line is whole")
  void longLines() {
    write("12345678\n123456789\nshort\n");
    assertThat(lines).containsExactly("12345678", "12345678", "short");
  }
}
