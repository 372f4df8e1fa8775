package io.probelet.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Which commands are known when. */
class ProbeletTest {
  @Test
  @DisplayName("knows each command by its name, alone and among all")
  void commands() {
    CommandLine all = Probelet.commandLine("--help");
    assertThat(all.getSubcommands()).hasSize(21).containsKey("agent");
    all.getSubcommands()
        .forEach((name, command) -> {
          assertThat(command.getCommandSpec().name()).isEqualTo(name);
          var known = assertThat(Probelet.commandLine(name, "--help").getSubcommands());
          if (List.of("help", "completion").contains(name)) {
            known.hasSameSizeAs(all.getSubcommands());
          } else {
            known.containsOnlyKeys(name);
          }
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--help", "help"})
  @DisplayName("shows the commands by group, two examples and where the documentation is")
  void overview(String arguments) {
    assertThat(run(arguments))
        .contains(
            "Run containers on this machine:\n  run ",
            "Look at a running agent:\n  status ",
            "Plan and check:\n  validate ",
            "Work in a cluster:\n  agent ",
            "Tools:\n  probe ",
            "  probelet run examples/web.yaml ",
            "  probelet status ",
            "Documentation: docs/")
        .doesNotContain("%", "null");
    assertThat(run(arguments).lines()).hasSizeLessThan(50);
  }

  @Test
  @DisplayName("help of a command is the same as its --help, also of a command's command")
  void help() {
    assertThat(run("help status")).isEqualTo(run("status --help")).contains("Examples:");
    assertThat(run("help webhooks undo")).isEqualTo(run("webhooks undo --help"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"bash", "zsh", "ZSH"})
  void completesForBashAndZsh(String shell) {
    assertThat(run("completion " + shell)).contains("bashcompinit", "--unwell", "webhook-setup");
  }

  @Test
  @Timeout(120)
  @DisplayName("a network namespace that has only a loopback interface is no reason to warn")
  void startsQuietlyWithoutNetwork(@TempDir Path folder) throws Exception {
    assumeTrue(new ProcessBuilder("unshare", "-n", "true").start().waitFor() == 0, "needs root");
    Path pod =
        Files.writeString(
            folder.resolve("pod.yaml"),
            """
            {apiVersion: v1, kind: Pod, metadata: {name: web}, spec: {containers: [
              {name: web, image: none, command: [sleep, "600"]}]}}
            """);
    Process process =
        new ProcessBuilder(
                "unshare",
                "-n",
                "sh",
                "-c",
                "ip link set lo up; exec \"$@\"",
                "sh",
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "io.probelet.cli.Probelet",
                "run",
                "--state-dir",
                folder.resolve("state").toString(),
                pod.toString())
            .redirectErrorStream(true)
            .start();
    List<String> lines = new ArrayList<>();
    try (BufferedReader out = process.inputReader()) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        lines.add(line);
        if (line.contains("web/web running")) {
          process.toHandle().destroy(); // process.destroy() would end its output, too
        }
      }
    } finally {
      process.destroyForcibly();
    }
    assertThat(lines)
        .anyMatch(line -> line.contains("web/web running"))
        .noneMatch(line -> line.contains("hardware address"));
  }

  @Test
  void proposesWordsAsInHelp() {
    String script = run("completion bash");
    assertThat(script).contains("_args=(\"process\" \"cri\")", "_args=(\"bash\" \"zsh\")");
    assertThat(script.lines())
        .noneMatch(line -> line.matches(".*_args=\\(.*\"[A-Z].*"))
        .anyMatch(line -> line.contains("COMMAND_pos_param_args=(\"run\" \"status\""));
  }

  @Test
  @DisplayName("a bug exits with 2, as 1 means that a problem was found")
  void internalError() {
    Runnable broken =
        () -> {
          throw new IllegalStateException("broken");
        };
    CommandLine line = Probelet.commandLine("--help");
    StringWriter err = new StringWriter();
    line.addSubcommand("broken", CommandSpec.wrapWithoutInspection(broken))
        .setErr(new PrintWriter(err));
    assertThat(line.execute("broken")).isEqualTo(2);
    assertThat(err.toString())
        .contains("probelet broken: internal error; please report it", "broken");
  }

  private static String run(String arguments) {
    String[] args = arguments.isEmpty() ? new String[0] : arguments.split(" ", -1);
    StringWriter text = new StringWriter();
    CommandLine line = Probelet.commandLine(args).setOut(new PrintWriter(text));
    assertThat(line.execute(args)).isZero();
    return text.toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--version", "-V", "version"})
  @DisplayName("prints the version at once, the same as picocli would")
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
