package io.probelet.fleet.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.fleet.terminal.Colours.Meaning;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TerminalTest {
  private final StringWriter out = new StringWriter();

  @ParameterizedTest
  @CsvSource({
    "'', '', xterm, true, ANSI",
    "'', '', xterm, false, NONE",
    "1, '', xterm, true, NONE",
    "1, 1, xterm, true, NONE",
    "'', 1, dumb, false, ANSI",
    "'', 0, xterm, false, NONE",
    "'', '', dumb, true, NONE",
    "'', '', '', true, ANSI"
  })
  @DisplayName("colors only on a terminal, unless the environment says otherwise")
  void colours(String none, String force, String term, boolean terminal, Colours expected) {
    assertThat(
            Colours.of(Map.of("NO_COLOR", none, "CLICOLOR_FORCE", force, "TERM", term), terminal))
        .isEqualTo(expected);
    assertThat(Colours.of(Map.of(), true)).isEqualTo(Colours.NONE);
  }

  @Test
  void wrapsBetweenWordsAndCutsLongOnes() {
    assertThat(Terminal.wrapped("  ", "one two three four five six seven", 24))
        .containsExactly("  one two three four", "  five six seven");
    assertThat(Terminal.wrapped("", "x".repeat(50), 24))
        .containsExactly("x".repeat(24), "x".repeat(24), "xx");
    assertThat(Terminal.wrapped("", "x".repeat(50), Terminal.UNLIMITED)).hasSize(1);
    assertThat(Terminal.wrapped("", "x".repeat(23) + "\ud83d\ude00", 24).getFirst()).hasSize(23);
    assertThat(Terminal.wrapped("", "", 24)).containsExactly("");
  }

  @Test
  void paint() {
    assertThat(Colours.ANSI.paint(Meaning.BAD, "no")).isEqualTo("\u001b[31mno\u001b[0m");
    assertThat(Colours.ANSI.paint(Meaning.PLAIN, "no")).isEqualTo("no");
    assertThat(Colours.NONE.paint(Meaning.BAD, "no")).isEqualTo("no");
  }

  @Test
  @DisplayName("untrusted text moves no cursor, renames no window and reverses no text")
  void printable() {
    assertThat(Terminal.printable("a\u001b]0;title\u0007b\r\nc\td\u202e\u200b\ud800e"))
        .isEqualTo("a\\u001b]0;title\\u0007b\\u000d\nc\td\\u202e\\u200b\\ud800e");
    assertThat(Terminal.line("  two\nlines\tand more ", 9)).isEqualTo("two lines…");
    assertThat(Terminal.line("\ud83d\ude00\ud83d\ude00\ud83d\ude00", 2))
        .isEqualTo("\ud83d\ude00\ud83d\ude00…");
    assertThat(Terminal.line("", 2)).isEmpty();
  }

  @Test
  @DisplayName("writes each picture over the one before, and restores the terminal")
  void screen() {
    FullScreen screen = new FullScreen(new PrintWriter(out), () -> 3);
    screen.show(List.of("a", "b"));
    assertThat(out.toString())
        .isEqualTo("\u001b[?1049h\u001b[?25l\u001b[?7l\u001b[Ha\u001b[K\r\nb\u001b[K\r\n\u001b[J");
    out.getBuffer().setLength(0);
    screen.show(List.of("a", "b", "c"));
    assertThat(out.toString()).isEqualTo("\u001b[Ha\u001b[K\r\nb\u001b[K\r\nc\u001b[K\u001b[J");
    out.getBuffer().setLength(0);
    screen.show(IntStream.range(0, 9).mapToObj(String::valueOf).toList());
    assertThat(out.toString())
        .isEqualTo(
            "\u001b[H0\u001b[K\r\n1\u001b[K\r\n"
                + "… 7 lines not shown; enlarge the window\u001b[K\u001b[J");
    out.getBuffer().setLength(0);
    screen.close();
    screen.close();
    screen.show(List.of("late"));
    assertThat(out.toString()).isEqualTo("\u001b[?7h\u001b[?25h\u001b[?1049l");
  }

  @Test
  @DisplayName("an unused screen writes nothing")
  void unused() {
    new FullScreen(new PrintWriter(out), () -> 3).close();
    assertThat(out.toString()).isEmpty();
  }
}
