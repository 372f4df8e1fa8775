package io.probelet.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** command lines of node-problem-detector with words in them that it ignores. */
class StrayWordsTest {
  @TempDir Path home;

  private record Ended(int code, String error) {}

  private static Ended run(Object command, Stream<String> arguments) {
    StringWriter error = new StringWriter();
    int code =
        new CommandLine(command)
            .setErr(new PrintWriter(error))
            .setCaseInsensitiveEnumValuesAllowed(true)
            .execute(arguments.toArray(String[]::new));
    return new Ended(code, error.toString());
  }

  private String monitor() throws Exception {
    return Files.writeString(
            home.resolve("kernel-monitor.json"), "{\"plugin\": \"kmsg\", \"source\": \"k\"}")
        .toString();
  }

  @ParameterizedTest
  @CsvSource({
    ".., true, false",
    "., true, false",
    "./../, true, false",
    "no-such-file, true, false",
    "/, true, false",
    "/etc, true, true",
    "src/../src, true, true",
    ".., false, true",
    "no-such-file, false, true",
  })
  @DisplayName("A-8 with its flags, dots and missing paths are not manifests")
  void words(Path word, boolean detector, boolean used) {
    StrayWords words = StrayWords.of(List.of(word), detector);
    assertThat(words.paths()).isEqualTo(used ? List.of(word) : List.of());
    assertThat(words.ignored()).isEqualTo(used ? List.of() : List.of(word));
  }

  @Test
  @DisplayName("A-8 Gardener's command line runs no manifest of the parent folder")
  void gardener() throws Exception {
    Ended ended =
        run(
            new RunCommand(),
            Stream.of(
                "--logtostderr",
                "--config.system-log-monitor=" + monitor(),
                "..",
                "--config.custom-plugin-monitor=",
                "..",
                "--log-dir=/dev/null/logs", // ends it, after all was read
                "--listen=127.0.0.1:0"));
    assertThat(ended.code()).isEqualTo(2);
    assertThat(ended.error())
        .contains("probelet run: \"..\", \"..\": ignored, as node-problem-detector does")
        .contains("--log-dir /dev/null/logs cannot be created: not a directory")
        .doesNotContain("no such file");
  }

  @Test
  @DisplayName("A-8 requires manifests unless one of its monitor files is named")
  void required() {
    assertThat(run(new RunCommand(), Stream.of("--monitor=none")))
        .satisfies(ended -> {
          assertThat(ended.code()).isEqualTo(2);
          assertThat(ended.error()).contains("name a manifest file or a directory of manifests");
        });
  }

  @Test
  @DisplayName("A-8 an agent ignores stray words with its flags, and refuses them otherwise")
  void agent() throws Exception {
    Stream<String> otherwise = Stream.of("--node-name=n", "--kubeconfig=/none", "..");
    assertThat(run(new AgentCommand(), otherwise).error()).contains("unexpected argument '..'");
    Ended detector =
        run(
            new AgentCommand(),
            Stream.of(
                "--node-name=n",
                "--kubeconfig=/none",
                "..",
                "--config.system-log-monitor=" + monitor()));
    assertThat(detector.error())
        .contains("probelet agent: \"..\": ignored, as node-problem-detector does", "/none");
    assertThat(detector.code()).isEqualTo(2);
  }
}
