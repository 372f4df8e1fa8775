package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** ADR 51: only a program with an expression loads what expressions need. */
class ExpressionClassesTest {
  private static final Path EXAMPLES = Path.of("../examples").toAbsolutePath();

  @TempDir private Path folder;

  @Test
  @DisplayName("without an expression no class of CEL, Guava and ANTLR is loaded")
  void notWithoutAnExpression() throws Exception {
    Files.writeString(folder.resolve("checks.yaml"), "plugin: check\nrules: [{check: pids}]\n");
    Files.writeString(
        folder.resolve("health.yaml"),
        "{apiVersion: probelet.io/v1alpha1, kind: ClusterHealth, metadata: {name: cluster}}\n");
    assertThat(
            loadedFor(
                EXAMPLES.resolve("simulate/rack-loss-nhc.yaml"),
                EXAMPLES.resolve("remediations/policy.yaml"),
                folder.resolve("checks.yaml"),
                folder.resolve("health.yaml")))
        .isEmpty();
  }

  @Test
  @DisplayName("with an expression they are loaded, so that the other test can fail")
  void withAnExpression() throws Exception {
    assertThat(loadedFor(EXAMPLES.resolve("simulate/expression-nhc.yaml"))).isNotEmpty();
  }

  private List<String> loadedFor(Path... manifests) throws Exception {
    Path log = folder.resolve("classes");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Xlog:class+load:file=" + log + "::filecount=0",
                "-cp",
                System.getProperty("java.class.path"),
                "io.probelet.cli.Probelet",
                "validate"));
    Arrays.stream(manifests).map(Path::toString).forEach(command::add);
    ProcessBuilder java = new ProcessBuilder(command);
    FakeCheckout.Ended ended = FakeCheckout.end(java.start());
    assertThat(ended.exitCode()).as(ended.err()).isZero();
    try (Stream<String> lines = Files.lines(log)) {
      return lines
          .filter(line -> line.matches(".* (dev\\.cel|com\\.google\\.common|org\\.antlr)\\..*"))
          .collect(Collectors.toList());
    }
  }
}
