package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Compares docs/reference/logs.md with the keys that log lines have. */
class LogReferenceTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** In the text of a log line, or given to it apart from its text. */
  private static final Pattern KEY =
      Pattern.compile(
          "[\"\\s(,]([a-zA-Z][\\w-]*)=(?:\\\\\")?\\{}|addKeyValue\\(\"([^\"]+)\"|\"(pod_uid)\"");

  private static final Pattern CODE = Pattern.compile("`([^`]+)`");

  @Test
  @DisplayName("Log lines have each key of the page")
  void keys() {
    Set<String> used =
        RuleBook.files(ROOT, ".java")
            .filter(file -> file.toString().contains("/src/main/"))
            .flatMap(file -> KEY.matcher(RuleBook.text(file)).results())
            .map(found -> found.group(1) + found.group(2) + found.group(3))
            .map(key -> key.replace("null", ""))
            .collect(Collectors.toSet());
    String page = RuleBook.text(ROOT.resolve("docs/reference/logs.md"));
    assertThat(
            page.substring(page.indexOf("\n## Keys\n"), page.indexOf("\n## Levels"))
                .lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.substring(0, line.indexOf(" | ")))
                .flatMap(cell -> CODE.matcher(cell).results())
                .map((MatchResult found) -> found.group(1)))
        .hasSizeGreaterThan(20)
        .allMatch(used::contains);
  }
}
