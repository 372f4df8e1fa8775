package io.probelet.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Which commands are known when. */
class ProbeletTest {
  @Test
  @DisplayName("each command is known by its own name, in the help and alone")
  void commands() {
    CommandLine all = Probelet.commandLine("--help");
    assertThat(all.getSubcommands()).hasSize(15).containsKey("agent");
    all.getSubcommands()
        .forEach((name, command) -> {
          assertThat(command.getCommandSpec().name()).isEqualTo(name);
          assertThat(Probelet.commandLine(name, "--help").getSubcommands()).containsOnlyKeys(name);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"--version", "-V"})
  @DisplayName("the version alone is the same as picocli prints it, but there at once")
  void version(String option) {
    StringWriter slow = new StringWriter();
    Probelet.commandLine(option).setOut(new PrintWriter(slow)).execute(option);
    PrintStream before = System.out;
    ByteArrayOutputStream quick = new ByteArrayOutputStream();
    System.setOut(new PrintStream(quick, true, UTF_8));
    try {
      Probelet.main(new String[] {option});
    } finally {
      System.setOut(before);
    }
    assertThat(quick.toString(UTF_8)).startsWith("probelet ").isEqualTo(slow.toString());
  }
}
