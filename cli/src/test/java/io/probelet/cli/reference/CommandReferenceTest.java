package io.probelet.cli.reference;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.cli.Probelet;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** docs/reference/cli.md is what the program's options say. */
class CommandReferenceTest {
  private static final Path SCRIPT = Path.of("../scripts/CommandReference.java");

  @TempDir Path folder;

  @Test
  void isWhatTheCommandsSay() throws Exception {
    Path made = folder.resolve("cli.md");
    File said = folder.resolve("said").toFile();
    ProcessBuilder command =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                SCRIPT.toString(),
                made.toString())
            .redirectErrorStream(true)
            .redirectOutput(said);
    command.environment().clear(); // which defaults may come from
    command.environment().put("HOME", "/root");
    Process process = command.start();
    try {
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.exitValue()).as(Files.readString(said.toPath())).isZero();
    String page = Files.readString(made);
    assertThat(commands(Probelet.commandLine()))
        .hasSizeGreaterThan(10)
        .allSatisfy(each -> {
          assertThat(page).contains("\n## " + each.getCommandSpec().qualifiedName() + "\n");
          each.getCommandSpec().options().stream()
              .filter(option -> !option.hidden())
              .forEach(option -> assertThat(page).contains(option.longestName()));
        });
    new GeneratedPage("cli.md").assertCurrent(page);
  }

  private static Stream<CommandLine> commands(CommandLine of) {
    return of.getSubcommands().values().stream()
        .filter(each -> !each.getCommandSpec().usageMessage().hidden())
        .flatMap(each -> Stream.concat(Stream.of(each), commands(each)));
  }
}
