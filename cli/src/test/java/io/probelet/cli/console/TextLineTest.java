package io.probelet.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.ZoneOffset;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A log line is one line, whatever its arguments are: nothing in it can pass for another line. */
class TextLineTest {
  private static final LoggerContext CONTEXT = new LoggerContext();
  private static final String FORGED = "x\n12:00:00.000 WARN node=n2 forged";

  static Stream<String> texts() {
    return Stream.of(
        FORGED,
        "x\r\n12:00:00.000 WARN forged",
        "x\u001b[2Jy",
        "x\u001b]0;title\u0007y",
        "x\u009b31my",
        "x\u0085y",
        "x\u2028y\u2029z",
        "x\u202egnp.exe\u2066",
        "x\u0000y\u007f",
        "x\tat forged.Frame(Forged.java:1)",
        "x\ud83d");
  }

  private static LoggingEvent event(String text, Throwable thrown) {
    return new LoggingEvent(
        TextLineTest.class.getName(),
        CONTEXT.getLogger("io.probelet.other"),
        Level.WARN,
        "pod={} probe=\"{}\"",
        thrown,
        new Object[] {"web/nginx", text});
  }

  private static String line(LoggingEvent event) {
    return new TextLine(ZoneOffset.UTC).doLayout(event);
  }

  @ParameterizedTest
  @MethodSource("texts")
  @DisplayName("An argument never ends the line or moves the cursor")
  void arguments(String text) {
    String written = line(event(text, null));
    assertThat(written).endsWith("\n").contains("pod=web/nginx probe=\"x");
    assertPlain(written.substring(0, written.length() - 1));
  }

  @ParameterizedTest
  @MethodSource("texts")
  @DisplayName(
      "The same holds for the messages of an exception, its cause and suppressed exceptions")
  void exceptions(String text) {
    IllegalStateException thrown =
        new IllegalStateException(text, new IllegalArgumentException(text));
    thrown.addSuppressed(new RuntimeException(text));
    List<String> lines = line(event("probe", thrown)).lines().toList();
    assertThat(lines.getFirst()).contains("pod=web/nginx probe=\"probe\"");
    assertThat(lines.subList(1, lines.size()))
        .hasSizeGreaterThan(5)
        .allSatisfy(each -> {
          assertThat(each)
              .matches(
                  "\\t+(at io|at java|at org|Suppressed: java|\\.\\.\\. ).*|java.*|Caused by: .*");
          assertPlain(each.stripLeading());
        });
    assertThat(lines).anyMatch(each -> each.startsWith("java.lang.IllegalStateException: x"));
    assertThat(lines)
        .anyMatch(each -> each.startsWith("Caused by: java.lang.IllegalArgumentException: x"))
        .anyMatch(each -> each.contains("Suppressed: java.lang.RuntimeException: x"));
  }

  @Test
  @DisplayName("A quote in a quoted value cannot end it and forge a key, in text and JSON")
  void quotes() throws Exception {
    LoggingEvent event = event("no \"disk\" status=True C:\\", null);
    String written = "pod=web/nginx probe=\"no \\\"disk\\\" status=True C:\\\\\"";
    assertThat(line(event).strip()).endsWith(" " + written);
    JsonNode json = new ObjectMapper().readTree(new JsonLine().doLayout(event));
    assertThat(json.path("msg").asText()).isEqualTo(written);
    assertThat(json.path("probe").asText()).isEqualTo("no \"disk\" status=True C:\\");
  }

  @Test
  @DisplayName("The length of a line is limited, in text and JSON")
  void bounded() throws Exception {
    String text = "x".repeat(1_200_000);
    assertThat(line(event(text, null))).hasSizeLessThan(20_000).contains("…");
    IllegalStateException thrown = new IllegalStateException(text);
    assertThat(line(event("y", thrown))).hasSizeLessThan(100_000);
    String json = new JsonLine().doLayout(event(text, thrown));
    assertThat(json).hasSizeLessThan(200_000);
    assertThat(new ObjectMapper().readTree(json).path("pod").asText()).isEqualTo("web/nginx");
  }

  private static void assertPlain(String text) {
    assertThat(
            text.codePoints()
                .filter(c ->
                    switch (Character.getType(c)) {
                      case Character.CONTROL,
                          Character.FORMAT,
                          Character.SURROGATE,
                          Character.LINE_SEPARATOR,
                          Character.PARAGRAPH_SEPARATOR ->
                          true;
                      default -> false;
                    })
                .toArray())
        .isEmpty();
  }
}
