package io.probelet.agent.remediators;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RemediatorsDocTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern FAILURES =
      Pattern.compile("^\\| (what fails|what is lost|when|it fails when) ");
  private static final Pattern TEST = Pattern.compile("`(\\w+Test)(#\\w+)?`|(?<=, )`(#\\w+)`");

  @Test
  @DisplayName("What happens on each failure is proved by tests that are there")
  void provedBy() throws IOException {
    List<String> missing = new ArrayList<>();
    int named = 0;
    String source = "";
    String test = "";
    for (MatchResult each :
        TEST.matcher(Files.readString(ROOT.resolve("docs/remediators.md"))).results().toList()) {
      named++;
      if (each.group(1) != null) {
        test = each.group(1);
        source = source(test);
      }
      String method = each.group(2) == null ? each.group(3) : each.group(2);
      if (source.isEmpty()
          || (method != null && !source.contains(" void " + method.substring(1) + "("))) {
        missing.add(test + " " + method);
      }
    }
    assertThat(missing).isEmpty();
    assertThat(named).isGreaterThanOrEqualTo(8);
  }

  @Test
  @DisplayName("Every line of a table of failures names a test")
  void everyFailure() throws IOException {
    List<String> tables = new ArrayList<>();
    String header = "";
    for (String line : Files.readAllLines(ROOT.resolve("docs/remediators.md"))) {
      if (!line.startsWith("|")) {
        header = "";
      } else if (header.isEmpty()) {
        header = line;
        if (FAILURES.matcher(line).find()) {
          assertThat(line).endsWith("| proved by |");
          tables.add(line);
        }
      } else if (FAILURES.matcher(header).find() && !line.startsWith("|--")) {
        String proof = line.substring(line.lastIndexOf(" | "));
        assertThat(TEST.matcher(proof).find()).as(line).isTrue();
      }
    }
    assertThat(tables).hasSize(6);
  }

  private static String source(String test) throws IOException {
    for (String module : List.of("remediators", "agent")) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/test"))) {
        Path found = files.filter(file -> file.endsWith(test + ".java")).findFirst().orElse(null);
        if (found != null) {
          return Files.readString(found);
        }
      }
    }
    return "";
  }
}
