package io.probelet.cli.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.cli.Probelet;
import io.probelet.fleet.FleetFixture;
import io.probelet.kube.FakeApiServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code probelet status --cluster}, of the tests' API server. */
@Timeout(120)
class ClusterStatusTest {
  private static final String FORBIDDEN = "User \"u\" cannot list resource";

  @TempDir private Path folder;
  private FakeApiServer server;

  @BeforeEach
  void start() throws IOException {
    server = new FakeApiServer();
    server.serve("probelet.io/v1alpha1", "DrainRemediation", "RebootRemediation");
    for (int i = 0; i < 4; i++) {
      server.put(FleetFixture.nodeYaml("healthy-" + i, "True", Duration.ofDays(1)));
    }
    server.put(FleetFixture.nodeYaml("bad-1", "Unknown", Duration.ofMinutes(30)));
    server.put(FleetFixture.checkYaml("", "{}"));
  }

  @AfterEach
  void close() {
    server.close();
  }

  private int status(StringWriter out, String... more) throws IOException {
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    CommandLine line = Probelet.commandLine();
    line.setOut(new PrintWriter(out));
    line.setErr(new PrintWriter(out));
    String[] words = {"status", "--cluster", "--kubeconfig", kubeconfig.toString()};
    String[] all = new String[words.length + more.length];
    System.arraycopy(words, 0, all, 0, words.length);
    System.arraycopy(more, 0, all, words.length, more.length);
    return line.execute(all);
  }

  @Test
  @DisplayName("status --cluster: 1 with the unhealthy first, 0 if all is healthy, 2 if unknown")
  void command() throws Exception {
    StringWriter out = new StringWriter();
    assertThat(status(new StringWriter(), "--remediation")).isEqualTo(2);
    assertThat(status(out)).isEqualTo(1);
    assertThat(out.toString())
        .startsWith("Degraded: 5 nodes (1 waiting, 4 healthy)\n")
        .contains("bad-1   Waiting   Ready=Unknown")
        .contains("0 unhealthy containers on 0 of 5 nodes; 5 gave no answer, 0 were not asked")
        .contains("no answer from 5 of 5 nodes:")
        .contains("node bad-1: no pod of probelet-agent in namespace probelet-system runs on");
    StringWriter agents = new StringWriter();
    assertThat(status(agents, "--containers")).isEqualTo(1);
    assertThat(agents.toString())
        .contains("0 unhealthy containers on 0 of 5 nodes; 5 gave no answer, 0 were not asked")
        .contains("node bad-1: no pod of probelet-agent in namespace probelet-system runs on");
    assertThat(status(new StringWriter(), "--containers", "-w")).isEqualTo(2);
    StringWriter json = new StringWriter();
    assertThat(status(json, "-o", "json")).isEqualTo(1);
    JsonNode view = new ObjectMapper().readTree(json.toString());
    assertThat(view.path("verdict").asText()).isEqualTo("NotWell");
    assertThat(view.at("/unhealthyContainers/unanswered")).hasSize(5);
    assertThat(view.at("/nodes/0/state").asText()).isEqualTo("Waiting");
    assertThat(view.at("/nodes/0/since").asText()).isEqualTo("2026-11-22T11:30:00Z");
    assertThat(view.at("/checks/0/steps/0/timeout").asText()).isEqualTo("5m");
    server.put(FleetFixture.nodeYaml("bad-1", "True", Duration.ofMinutes(1)));
    assertThat(status(new StringWriter())).isEqualTo(0);
    server.faults().refuseReads("/nodes", 403, FORBIDDEN);
    StringWriter blind = new StringWriter();
    assertThat(status(blind)).isEqualTo(2);
    assertThat(blind.toString()).contains("NOT READ").contains("list and watch nodes");
  }

  @Test
  @DisplayName("status --cluster -w asks the agents in the background")
  void watch() throws Exception {
    StringWriter out = new StringWriter();
    Thread watching =
        Thread.ofVirtual()
            .start(() -> {
              try {
                status(out, "-w");
              } catch (IOException unable) {
                throw new UncheckedIOException(unable);
              }
            });
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> out.toString().contains("no answer from 5 of 5 nodes:"));
    assertThat(out.toString())
        .containsSubsequence(
            "Degraded: 5 nodes",
            "Asking the agents for unhealthy containers …",
            "Degraded: 5 nodes",
            "0 unhealthy containers on 0 of 5 nodes");
    watching.interrupt();
    watching.join();
  }

  @Test
  @DisplayName("probelet advise --cluster: without an answer of any agent nothing is known")
  void adviceTakesAgents() throws IOException {
    Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    StringWriter out = new StringWriter();
    CommandLine line = Probelet.commandLine();
    line.setOut(new PrintWriter(out));
    line.setErr(new PrintWriter(out));
    assertThat(line.execute("advise", "--cluster", "--kubeconfig", kubeconfig.toString()))
        .isEqualTo(2);
    assertThat(out.toString())
        .contains("probelet advise: no agent of 5 nodes answered; the first: bad-1: no pod of");
  }
}
