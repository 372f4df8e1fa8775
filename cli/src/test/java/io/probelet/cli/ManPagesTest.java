package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.cli.FakeCheckout.Ended;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The manual pages and the completion that scripts/release makes. */
class ManPagesTest {
  private static final Path SCRIPT = Path.of("../scripts/ManPages.java").toAbsolutePath();

  @TempDir static Path share;

  @BeforeAll
  static void write() throws Exception {
    Ended ended =
        run(
            Path.of(System.getProperty("java.home"), "bin/java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            SCRIPT.toString(),
            "1.2.3",
            share.toString());
    assertThat(ended.exitCode()).as(ended.err()).isZero();
  }

  static Stream<CommandLine> commands() {
    return all(Probelet.commandLine());
  }

  private static Stream<CommandLine> all(CommandLine command) {
    return Stream.concat(
        Stream.of(command), command.getSubcommands().values().stream().flatMap(ManPagesTest::all));
  }

  @ParameterizedTest
  @MethodSource("commands")
  @DisplayName("each command has a page with its options, exit codes and examples")
  void page(CommandLine command) throws IOException {
    String name = command.getCommandSpec().qualifiedName("-");
    String page = Files.readString(share.resolve("man/man1").resolve(name + ".1"));
    assertThat(page)
        .contains(".SH NAME\n" + name.replace("-", "\\-") + " \\- ", "\"probelet 1.2.3\"")
        .contains(".SH SYNOPSIS\n", ".SH DESCRIPTION\n", ".SH OPTIONS\n", ".SH EXAMPLES\n")
        .doesNotContain("${", "%n", "@|");
    List<String> expected = new ArrayList<>();
    command.getCommandSpec().options().stream()
        .filter(option -> !option.hidden())
        .forEach(option -> expected.add(option.longestName()));
    expected.addAll(command.getCommandSpec().usageMessage().exitCodeList().values());
    assertThat(expected).isNotEmpty().allMatch(each -> page.contains(each.replace("-", "\\-")));
  }

  @Test
  @DisplayName("pages use only known roff requests")
  void requests() throws IOException {
    Set<String> requests = new TreeSet<>();
    for (Path page : pages()) {
      Files.readAllLines(page).stream()
          .filter(line -> line.startsWith(".") || line.startsWith("'"))
          .map(line -> line.replaceFirst(" .*", ""))
          .forEach(requests::add);
    }
    assertThat(requests).isSubsetOf(".TH", ".SH", ".TP", ".B", ".br");
    assertThat(pages()).hasSize((int) commands().count());
  }

  @Test
  @DisplayName("bash completes commands and options")
  void completion() throws Exception {
    assertThat(completions("probelet", "va")).contains("validate");
    assertThat(completions("probelet", "status", "--rem")).contains("--remediation");
    assertThat(completions("probelet", "help", "sim")).contains("simulate");
    assertThat(completions("probelet", "run", "--runtime", "c")).contains("cri");
  }

  private static String completions(String... words) throws Exception {
    String script =
        """
        compopt() { :; } # works within a completion only
        source '%s'
        COMP_WORDS=(%s) COMP_CWORD=%d
        _complete_probelet
        echo "${COMPREPLY[@]}"
        """
            .formatted(
                share.resolve("bash-completion/completions/probelet"),
                String.join(" ", words),
                words.length - 1);
    Ended ended = run("bash", "--norc", "-c", script);
    assertThat(ended.err()).isEmpty();
    return ended.out();
  }

  private static List<Path> pages() throws IOException {
    try (Stream<Path> files = Files.list(share.resolve("man/man1"))) {
      return files.collect(Collectors.toList());
    }
  }

  private static Ended run(String... command) throws Exception {
    return FakeCheckout.end(new ProcessBuilder(command).start());
  }
}
