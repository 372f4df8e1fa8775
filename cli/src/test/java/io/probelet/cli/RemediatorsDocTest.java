package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.remediator.resource.RemediationKind;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemediatorsDocTest {
  private static final Path ROOT = Path.of("..");

  /** The same failures, each with the tests for it. */
  private static final Path PROOFS = ROOT.resolve("docs/development/remediator-failures.md");

  private static final Pattern FAILURES =
      Pattern.compile("^\\| (what fails|what is lost|when|it fails when) ");
  private static final Pattern TEMPLATE = Pattern.compile("(?s)```yaml\\n(.*?)```");
  private static final Pattern TEST = Pattern.compile("`(\\w+Test)(#\\w+)?`|(?<=, )`(#\\w+)`");

  @TempDir Path directory;

  @Test
  @DisplayName("The tests that prove what happens on each failure exist")
  void provedBy() {
    List<String> missing = new ArrayList<>();
    int named = 0;
    String source = "";
    String test = "";
    for (MatchResult each : TEST.matcher(RuleBook.text(PROOFS)).results().toList()) {
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
  @DisplayName("Every line of a table of failures names a test in the page for developers")
  void everyFailure() throws IOException {
    List<String> tables = new ArrayList<>();
    List<String> failures = new ArrayList<>();
    String header = "";
    for (String line : lines()) {
      if (!line.startsWith("|")) {
        header = "";
      } else if (header.isEmpty()) {
        header = line;
        if (FAILURES.matcher(line).find()) {
          tables.add(line);
        }
      } else if (FAILURES.matcher(header).find() && !line.startsWith("|--")) {
        failures.add(firstCell(line));
      }
    }
    assertThat(tables).hasSize(6);
    List<String> proved =
        RuleBook.text(PROOFS)
            .lines()
            .filter(line -> line.startsWith("| ") && !line.startsWith("| case |"))
            .toList();
    assertThat(proved).extracting(RemediatorsDocTest::firstCell).isEqualTo(failures);
    assertThat(proved)
        .allSatisfy(line ->
            assertThat(TEST.matcher(line.substring(line.lastIndexOf(" | "))).find())
                .as(line)
                .isTrue());
  }

  private static String firstCell(String line) {
    return line.substring(2, line.indexOf(" | "));
  }

  @Test
  @DisplayName("Each kind has a page, with a template that is read without a complaint")
  void templates() throws IOException {
    List<Path> pages = pages();
    assertThat(pages).hasSize(1 + RemediationKind.values().length);
    for (Path page : pages.subList(1, pages.size())) {
      List<String> templates =
          TEMPLATE.matcher(Files.readString(page)).results().map(each -> each.group(1)).toList();
      assertThat(templates).as(page.toString()).isNotEmpty();
      for (String template : templates) {
        StringWriter out = new StringWriter();
        Path file = Files.writeString(directory.resolve("template.yaml"), template);
        int code =
            Probelet.commandLine("validate")
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(out))
                .execute("validate", file.toString());
        assertThat(code).as("%s: %s", page, out).isZero();
      }
    }
  }

  /** The page of what holds for all, then those of the kinds. */
  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("docs/how-to/remediators.md")));
    try (Stream<Path> kinds = Files.list(ROOT.resolve("docs/how-to/remediators"))) {
      kinds.sorted().forEach(pages::add);
    }
    return pages;
  }

  private static List<String> lines() throws IOException {
    List<String> lines = new ArrayList<>();
    for (Path page : pages()) {
      lines.addAll(Files.readAllLines(page));
      lines.add("");
    }
    return lines;
  }

  private static String source(String test) {
    return Stream.of("remediators", "controller", "agent", "cli")
        .flatMap(module -> RuleBook.files(ROOT.resolve(module).resolve("src/test"), ".java"))
        .filter(file -> file.endsWith(test + ".java"))
        .findFirst()
        .map(RuleBook::text)
        .orElse("");
  }
}
