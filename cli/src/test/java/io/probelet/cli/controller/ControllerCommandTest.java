package io.probelet.cli.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.cli.agent.AgentCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** What cannot be is said before anything is done. */
@Timeout(120)
class ControllerCommandTest {
  private final StringWriter err = new StringWriter();
  @TempDir Path directory;

  private int execute(Callable<Integer> command, String... more) throws IOException {
    Path kubeconfig =
        Files.writeString(
            directory.resolve("kubeconfig"),
            """
            apiVersion: v1
            kind: Config
            clusters: [{name: c, cluster: {server: "http://127.0.0.1:1"}}]
            contexts: [{name: x, context: {cluster: c}}]
            current-context: x
            """);
    List<String> arguments = new ArrayList<>(List.of("--kubeconfig=" + kubeconfig));
    arguments.addAll(List.of(more));
    return new CommandLine(command)
        .setErr(new PrintWriter(err))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .execute(arguments.toArray(String[]::new));
  }

  @Test
  @DisplayName("names an unknown part and the known ones")
  void unknownPart() throws IOException {
    assertThat(execute(new ControllerCommand(), "--namespace=here", "--parts=remedy")).isEqualTo(2);
    assertThat(err)
        .asString()
        .contains(
            "--parts: \"remedy\" is not one of remediation, cluster-care, node-monitor, remediators, restart-guard, node-readiness, workload-evidence");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --parts=workload-evidence                                   | --workload-namespaces: 0 are named; 3 to 32 are allowed
          --workload-namespaces=a,b                                   | --workload-namespaces: 2 are named; 3 to 32 are allowed
          --workload-namespaces=a,b,c --workload-for=2h               | --workload-for: 2h is not from 1m to 1h
          --workload-namespaces=a,b,c --workload-for=soon             | --workload-for: "soon"
          --workload-namespaces=a,b,c --workload-minimum=2            | --workload-minimum: 2 is not from 3 to 100
          --workload-namespaces=a,b,c --workload-share=101            | --workload-share: 101 is not from 50 to 100
          --workload-namespaces=a,b,c --parts=remediation             | without workload-evidence among --parts
          """)
  void workloadEvidence(String arguments, String message) throws IOException {
    List<String> all = new ArrayList<>(List.of("--namespace=here"));
    if (!arguments.contains("--parts")) {
      all.add("--parts=workload-evidence");
    }
    all.addAll(List.of(arguments.split(" ")));
    assertThat(execute(new ControllerCommand(), all.toArray(String[]::new))).isEqualTo(2);
    assertThat(err).asString().contains(message);
  }

  @Test
  @DisplayName("a leader requires the namespace of the leases")
  void namespace() throws IOException {
    assertThat(execute(new ControllerCommand())).isEqualTo(2);
    assertThat(err).asString().contains("set --namespace, or POD_NAMESPACE");
  }

  @Test
  @DisplayName("so does an agent with --lead, and no other")
  void leadingAgent(@TempDir Path folder) throws IOException {
    Path config =
        Files.writeString(
            folder.resolve("agent.yaml"), "nodeMonitor: {stateFolder: %s}".formatted(folder));
    assertThat(execute(new AgentCommand(), "--node-name=n", "--lead", "--config=" + config))
        .isEqualTo(2);
    assertThat(err).asString().contains("set --namespace, or POD_NAMESPACE");
  }

  @Test
  @DisplayName("names an invalid address")
  void address() throws IOException {
    assertThat(execute(new ControllerCommand(), "--namespace=here", "--listen=there")).isEqualTo(2);
    assertThat(err).asString().contains("\"there\" is not host:port");
  }
}
