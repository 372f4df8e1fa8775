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
            "--parts: \"remedy\" is not one of remediation, cluster-care, node-monitor, remediators, restart-guard, node-readiness");
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
