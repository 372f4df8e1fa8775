package io.probelet.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.benchmarks.FiguresPage.Outcome;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SuiteTest {
  private static final SuitePart PART =
      SuitePart.run(
          10,
          "http --seconds 5",
          Goal.atMost(1, "cost, µs", "cost (\\d+)"),
          Goal.none("rate", "rate (\\d+)"));

  @Test
  @DisplayName("each figure stands beside its goal, with the command that makes it alone")
  void page() {
    String page =
        FiguresPage.of(List.of("machine"), List.of(new Outcome(PART, "cost 3, rate 7\n", "", 5.2)));

    assertThat(page.lines())
        .contains(
            "- machine",
            "| cost, µs | ≤ 1 | 3 | missed | `benchmarks/run http --seconds 5` |",
            "| rate |  | 7 |  | `benchmarks/run http --seconds 5` |",
            "## http (5 s)",
            "cost 3, rate 7")
        .doesNotContain("Failed:");
  }

  @Test
  @DisplayName("a part that failed is named, and its figures are unknown")
  void failed() {
    String page = FiguresPage.of(List.of(), List.of(new Outcome(PART, "oops\n", "exit code 3", 1)));

    assertThat(page.lines())
        .contains(
            "- `benchmarks/run http --seconds 5`: exit code 3",
            "| cost, µs | ≤ 1 | not measured | unknown | `benchmarks/run http --seconds 5` |");
  }

  @Test
  @DisplayName("of long output the end is shown")
  void cut() {
    String output = "line\n".repeat(100) + "end\n";

    assertThat(FiguresPage.of(List.of(), List.of(new Outcome(PART, output, "", 1))).lines())
        .contains("(61 lines before)", "end")
        .hasSizeLessThan(60);
  }

  @Test
  @DisplayName("a part that fails, hangs or is missing does not end the others")
  void goesOn(@TempDir Path folder) throws Exception {
    Path page = folder.resolve("target/figures.md");
    Suite suite =
        new Suite(List.of("sh", "-c"), new PrintStream(OutputStream.nullOutputStream(), true));
    List<SuitePart> parts =
        List.of(
            new SuitePart(SuitePart.RUN, List.of("exit 3"), 10, List.of()),
            new SuitePart(SuitePart.RUN, List.of("sleep 60 & sleep 60"), 1, List.of()),
            new SuitePart("benchmarks/none-such", List.of(), 10, List.of()),
            new SuitePart(
                SuitePart.RUN,
                List.of("echo cost 1"),
                10,
                List.of(Goal.atMost(2, "cost", "cost (\\d+)"))));

    assertThat(suite.run(parts, page)).isFalse();
    assertThat(Files.readString(page).lines())
        .contains(
            "- `benchmarks/run exit 3`: exit code 3",
            "- `benchmarks/run sleep 60 & sleep 60`: not done within 1 s",
            "| cost | ≤ 2 | 1 | met | `benchmarks/run echo cost 1` |")
        .anyMatch(line -> line.startsWith("- `benchmarks/none-such`: could not be started"));
  }

  @Test
  @DisplayName("the parts have different commands, and each shows a figure")
  void parts() {
    assertThat(SuiteParts.ALL.stream().map(SuitePart::command).collect(Collectors.toSet()))
        .hasSameSizeAs(SuiteParts.ALL);
    assertThat(SuiteParts.ALL).allSatisfy(part -> assertThat(part.goals()).isNotEmpty());
  }
}
