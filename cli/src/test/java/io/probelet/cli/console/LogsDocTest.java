package io.probelet.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Holds docs/reference/logs.md to the log calls of all modules, which it reads from their sources.
 */
class LogsDocTest {
  private static final Path ROOT = Path.of("..");

  /** Modules that never run in an agent or a controller. */
  private static final Set<String> OTHERS = Set.of("benchmarks", "fuzz-tests", "testing");

  private static final String TEXT = "\"((?:[^\"\\\\]|\\\\.)*)\"";
  private static final Pattern STRING = Pattern.compile(TEXT);
  private static final Pattern DECISION =
      Pattern.compile("RestartDecision\\.LOG_MARKER,\\s*" + TEXT);
  private static final Pattern CONCATENATION = Pattern.compile("\"\\s*\\+\\s*\"");
  private static final Pattern KEY = Pattern.compile("(?<![\\w.-])([A-Za-z][\\w.-]*)=\"?\\{}");
  private static final String SENTENCE_AND_KEYS =
      "[^= ]+( [^= ]+)*( [A-Za-z][\\w.-]*=(\"\\{}\"|\\{}))+";
  private static final Pattern KEY_VALUE = Pattern.compile("addKeyValue\\(\\s*\"([^\"]+)\"");
  private static final Pattern EXAMPLE =
      Pattern.compile("(?m)^(?:[\\d:.]+ )?(?:INFO|WARN|ERROR) (.+)$");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(\\w+)` \\|");

  @Test
  void everyKeyIsDocumentedAndEveryDocumentedKeyExists() throws IOException {
    Set<String> keys = new TreeSet<>();
    for (String source : logging()) {
      templates(STRING, source).forEach(text -> keys.addAll(groups(KEY, text)));
      keys.addAll(groups(KEY_VALUE, source));
    }
    String table = page().substring(page().indexOf("\n## Keys"));
    assertThat(keys).hasSizeGreaterThan(60);
    assertThat(new TreeSet<>(groups(ROW, table))).isEqualTo(keys);
  }

  /** So that a reader sees first what happened, and a key is never taken for a part of it. */
  @Test
  void everyLineIsASentenceAndThenItsKeys() throws IOException {
    List<String> lines = new ArrayList<>();
    for (String source : logging()) {
      templates(STRING, source).stream()
          .filter(text -> KEY.matcher(text).find())
          .forEach(lines::add);
    }
    assertThat(lines)
        .hasSizeGreaterThan(100)
        .allSatisfy(line -> assertThat(line).matches(SENTENCE_AND_KEYS));
  }

  @Test
  void everyExampleIsALineOfTheProgram() throws IOException {
    List<Pattern> lines = new ArrayList<>();
    for (String source : logging()) {
      templates(STRING, source).forEach(text -> lines.add(line(text)));
    }
    List<String> examples = groups(EXAMPLE, page());
    assertThat(examples)
        .hasSizeGreaterThan(20)
        .allSatisfy(example -> assertThat(lines).anyMatch(line -> line.matcher(example).matches()));
  }

  @Test
  void everyDecisionAboutARestartHasAnExample() throws IOException {
    List<String> examples = groups(EXAMPLE, page());
    List<String> decisions = new ArrayList<>();
    for (String source : logging()) {
      decisions.addAll(templates(DECISION, source));
    }
    assertThat(decisions)
        .hasSizeGreaterThan(4)
        .allSatisfy(decision ->
            assertThat(examples).anyMatch(example -> line(decision).matcher(example).matches()));
  }

  /** What a template writes; a template of placeholders only describes no line. */
  private static Pattern line(String template) {
    String words = template.replace("{}", "");
    return words.replaceAll("\\W", "").length() < 4 || !template.contains(" ")
        ? Pattern.compile("(?!)")
        : Pattern.compile(
            Stream.of(template.split("\\{}", -1))
                .map(Pattern::quote)
                .reduce("", (line, part) -> line.isEmpty() ? part : line + ".+" + part));
  }

  private static List<String> templates(Pattern pattern, String source) {
    return groups(pattern, source).stream().map(text -> text.replace("\\\"", "\"")).toList();
  }

  private static List<String> groups(Pattern pattern, String text) {
    return pattern.matcher(text).results().map((MatchResult found) -> found.group(1)).toList();
  }

  private static String page() throws IOException {
    return Files.readString(ROOT.resolve("docs/reference/logs.md"));
  }

  /** The sources that log, each string on one line. */
  private static List<String> logging() throws IOException {
    try (Stream<Path> files = Files.walk(ROOT, 12)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .filter(file -> file.toString().contains("/src/main/java/"))
          .filter(file -> !OTHERS.contains(ROOT.relativize(file).getName(0).toString()))
          .map(LogsDocTest::read)
          .filter(source -> source.contains("LoggerFactory"))
          .map(source -> CONCATENATION.matcher(source).replaceAll(""))
          .toList();
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
