package io.probelet.agent;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Which commands are known when. */
class ProbeletTest {
  @Test
  @DisplayName("each command is known by its own name, in the help and alone")
  void commands() {
    CommandLine all = Probelet.commandLine("--help");
    assertThat(all.getSubcommands()).hasSize(9).containsKey("agent");
    all.getSubcommands()
        .forEach((name, command) -> {
          assertThat(command.getCommandSpec().name()).isEqualTo(name);
          assertThat(Probelet.commandLine(name, "--help").getSubcommands()).containsOnlyKeys(name);
        });
  }

  @Test
  @DisplayName(
      "the version takes no command, so that it is there at once; elsewhere it stays an option")
  void version() {
    assertThat(Probelet.commandLine("--version").getSubcommands()).isEmpty();
    assertThat(Probelet.commandLine("-V").getSubcommands()).isEmpty();
    assertThat(Probelet.commandLine("--version", "run").getSubcommands()).hasSize(9);
  }
}
