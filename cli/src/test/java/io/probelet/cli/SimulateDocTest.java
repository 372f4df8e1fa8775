package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * Compares the timelines in docs/how-to/simulate.md with the output of the command. {@code
 * -Dprobelet.docs=write} updates the page.
 */
class SimulateDocTest {
  private static final Path DOC = Path.of("../docs/how-to/simulate.md");
  private static final Path EXAMPLES = Path.of("../examples/simulate");
  private static final Pattern PLACE =
      Pattern.compile(
          "<!-- simulate (\\S+) --until (\\S+) -->\n(\n```\n.*?\n```\n)?", Pattern.DOTALL);

  @Test
  @DisplayName("acceptance 2: every shipped scenario prints the timeline that the page shows")
  void timelines() throws IOException {
    String page = Files.readString(DOC);
    String actual = PLACE.matcher(page).replaceAll(SimulateDocTest::timeline);
    if ("write".equals(System.getProperty("probelet.docs"))) {
      Files.writeString(DOC, actual);
    }
    assertThat(page).isEqualTo(actual);
  }

  @Test
  @DisplayName("the comparison in docs/how-to/tape.md is what the command prints")
  void comparison() throws IOException {
    Path doc = Path.of("../docs/how-to/tape.md");
    Path folder = Path.of("../examples/tape");
    String printed =
        print(
            "--tape",
            folder.resolve("week.jsonl").toString(),
            "--nhc",
            folder.resolve("after-5m.yaml").toString(),
            "--nhc",
            folder.resolve("after-15m.yaml").toString());
    String page = Files.readString(doc);
    String actual =
        Pattern.compile("<!-- tape week -->\n(\n```\n.*?\n```\n)?", Pattern.DOTALL)
            .matcher(page)
            .replaceAll(
                Matcher.quoteReplacement("<!-- tape week -->\n\n```\n" + printed + "```\n"));
    if ("write".equals(System.getProperty("probelet.docs"))) {
      Files.writeString(doc, actual);
    }
    assertThat(page).isEqualTo(actual);
  }

  @Test
  @DisplayName("every scenario that is shipped is on the page")
  void allScenarios() throws IOException {
    String page = Files.readString(DOC);
    try (var files = Files.list(EXAMPLES)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .filteredOn(name -> name.endsWith("-scenario.yaml"))
          .isNotEmpty()
          .allMatch(
              name -> page.contains("<!-- simulate " + name.replace("-scenario.yaml", "") + " "));
    }
  }

  private static String timeline(MatchResult place) {
    String name = place.group(1);
    String printed =
        print(
            "--nhc",
            EXAMPLES.resolve(name + "-nhc.yaml").toString(),
            "--templates",
            EXAMPLES.resolve("templates.yaml").toString(),
            "--scenario",
            EXAMPLES.resolve(name + "-scenario.yaml").toString(),
            "--until",
            place.group(2));
    return Matcher.quoteReplacement(
        "<!-- simulate %s --until %s -->\n\n```\n%s```\n".formatted(name, place.group(2), printed));
  }

  private static String print(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exit =
        new CommandLine(new SimulateCommand())
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(arguments);
    assertThat(err.toString()).isEmpty();
    assertThat(exit).isZero();
    return out.toString().replaceAll("(?m) +$", "");
  }
}
