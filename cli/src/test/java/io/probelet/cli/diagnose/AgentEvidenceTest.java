package io.probelet.cli.diagnose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.agent.diagnose.DiagnosePart;
import io.probelet.agent.diagnose.EvidenceRoute;
import io.probelet.cli.Probelet;
import io.probelet.health.SystemClock;
import io.probelet.monitor.evidence.EvidenceBundle;
import io.probelet.monitor.evidence.EvidencePart;
import io.probelet.monitor.evidence.EvidenceRing;
import io.probelet.monitor.evidence.NodeEvidence;
import io.probelet.web.http.HttpServers;
import io.probelet.web.http.LoopServers;
import io.probelet.web.http.PostResource;
import io.probelet.web.http.Resource;
import io.probelet.web.http.Resource.Answer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code probelet diagnose} beside an agent that collects for it. */
@Timeout(120)
class AgentEvidenceTest {
  private static final String WITHOUT_AGENT = "collecting without it";

  private final LoopServers servers = HttpServers.start(SystemClock.INSTANCE);
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CountDownLatch collecting = new CountDownLatch(1);
  private final CountDownLatch collected = new CountDownLatch(1);
  private final List<String> reasons = new ArrayList<>();

  @TempDir Path state;

  @BeforeEach
  void configure() throws IOException {
    Files.writeString(state.resolve("agent.yaml"), "nodeMonitor:\n  stateFolder: " + state);
  }

  @AfterEach
  void close() {
    servers.close();
  }

  private DiagnosePart agent(boolean blocks) {
    return agent(state, blocks);
  }

  private DiagnosePart agent(Path folder, boolean blocks) {
    EvidencePart part =
        new EvidencePart(
            "asked",
            "asked.txt",
            EvidencePart.Keep.FIRST,
            1000,
            Duration.ofSeconds(100),
            to -> {
              collecting.countDown();
              if (blocks) {
                collected.await();
              }
              to.highlight("collected by the agent");
              to.missing("token=HUNTER2 is redacted as everywhere");
            });
    NodeEvidence evidence =
        new NodeEvidence(
            "node-7",
            List.of(part),
            new EvidenceRing(state.resolve("evidence")),
            SystemClock.INSTANCE);
    return DiagnosePart.open(servers, folder, Path.of("/host"), evidence);
  }

  private int diagnose(String... more) {
    List<String> args =
        new ArrayList<>(List.of("diagnose", "--config=" + state.resolve("agent.yaml")));
    args.addAll(List.of(more));
    CommandLine line = Probelet.commandLine(args.toArray(String[]::new));
    line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return line.execute(args.toArray(String[]::new));
  }

  @Test
  @DisplayName("ACT-108: the agent collects and sends an archive that it does not keep")
  void toFile() {
    Path file = state.resolve("bundle.tar.gz");
    try (DiagnosePart _ = agent(false)) {
      assertThat(diagnose("--reason=a&b=c", "--archive=" + file)).isZero();
    }
    assertThat(err.toString()).isEmpty();
    assertThat(out.toString())
        .startsWith("node node-7 at ")
        .contains(": a&b=c\n", "asked: collected by the agent", file + ": ");
    assertThat(file).isRegularFile();
    assertThat(state.resolve("evidence")).doesNotExist();
    assertThat(state.resolve(EvidenceRoute.SOCKET)).doesNotExist();
  }

  @Test
  @DisplayName("ACT-108: without --archive the agent keeps the bundle with its own")
  void kept() {
    try (DiagnosePart _ = agent(false)) {
      assertThat(diagnose("--host-root=/host/")).isZero();
    }
    assertThat(err.toString()).isEmpty();
    assertThat(state.resolve("evidence")).isDirectoryContaining("glob:**/evidence-*-node-7.tar.gz");
    assertThat(out.toString()).contains(state.resolve("evidence") + "/evidence-");
  }

  @Test
  @DisplayName("ACT-105: a bundle that the agent cannot keep is a failure with its digest")
  void notKept() throws IOException {
    Files.writeString(state.resolve("evidence"), "no folder");
    try (DiagnosePart _ = agent(false)) {
      assertThat(diagnose()).isEqualTo(1);
    }
    assertThat(out.toString()).contains("collected by the agent", "not saved on the node: ");
  }

  @Test
  @DisplayName("ACT-103: while another collection runs the command fails and reads nothing itself")
  void busy() throws InterruptedException {
    try (DiagnosePart _ = agent(true)) {
      Thread first =
          Thread.ofPlatform().start(() -> diagnose("--archive=" + state.resolve("first")));
      collecting.await();
      StringWriter second = new StringWriter();
      String[] args = {"diagnose", "--config=" + state.resolve("agent.yaml")};
      int exit =
          Probelet.commandLine(args)
              .setOut(new PrintWriter(out))
              .setErr(new PrintWriter(second))
              .execute(args);
      collected.countDown();
      first.join();
      assertThat(exit).isEqualTo(1);
      assertThat(second.toString()).contains("evidence collection is already running");
    }
  }

  @Test
  @DisplayName("ACT-108: by another root directory, or other sources, the command collects itself")
  void otherSources() throws IOException {
    Path root = Files.createDirectories(state.resolve("root/proc/sys/kernel"));
    Files.writeString(root.resolve("hostname"), "other\n");
    Path host = state.resolve("root");
    try (DiagnosePart _ = agent(false)) {
      String[] own = {"--archive=" + state.resolve("b"), "--host-root=" + host};
      assertThat(diagnose(own)).isZero();
      assertThat(err.toString()).contains("sees the node's root directory at /host", WITHOUT_AGENT);
      assertThat(out.toString()).startsWith("node other at ");
      err.getBuffer().setLength(0);
      assertThat(diagnose(own[0], own[1], "--runtime-endpoint=none")).isZero();
    }
    assertThat(err.toString()).isEmpty();
    assertThat(out.toString()).doesNotContain("collected by the agent");
  }

  @Test
  @DisplayName("ACT-108: with options of the agent's sources the command line is not read at all")
  void quickly() throws IOException {
    Map<String, String> environment = Map.of("XDG_STATE_HOME", state.toString());
    Files.createDirectories(state.resolve("probelet"));
    String archive = "--archive=" + state.resolve("b");
    String[] usual = {"diagnose", "--reason", "slow", archive, "--host-root=/host"};
    assertThat(DiagnoseByAgent.quickly(usual, environment)).as("no agent").isEmpty();
    try (DiagnosePart _ = agent(state.resolve("probelet"), false)) {
      assertThat(DiagnoseByAgent.quickly(usual, environment)).hasValue(0);
      assertThat(state.resolve("b")).isRegularFile();
      for (String[] other :
          List.of(
              new String[] {},
              new String[] {"status"},
              new String[] {"diagnose", "--upload"},
              new String[] {"diagnose", "--help"},
              new String[] {"diagnose", "--reason"},
              new String[] {"diagnose", archive, "word"},
              new String[] {"diagnose", "--archive=" + state})) {
        assertThat(DiagnoseByAgent.quickly(other, environment)).isEmpty();
      }
      Path config = state.resolve("agent.yaml");
      Map<String, String> elsewhere =
          Map.of("XDG_STATE_HOME", state.toString(), "PROBELET_CONFIG", config.toString());
      assertThat(DiagnoseByAgent.quickly(usual, elsewhere)).isEmpty();
      Files.writeString(config, "http: {}");
      assertThat(DiagnoseByAgent.quickly(usual, elsewhere)).hasValue(0);
    }
  }

  @Test
  @DisplayName("ACT-108: without an answer, or with half of one, the command collects itself")
  void silent() throws IOException {
    Path socket = state.resolve(EvidenceRoute.SOCKET);
    Files.writeString(socket, "");
    assertThat(diagnose("--archive=" + state.resolve("b"))).isZero();
    assertThat(err.toString()).contains(WITHOUT_AGENT);
    Files.delete(socket);

    Resource alive = query -> Answer.of(200, Resource.TEXT, "ok");
    for (String answer :
        List.of("", "\n\n", "n\n0\n1\n-\ndigest\n\narchive", "n\n0\nx\n/\ndigest\n\n")) {
      PostResource half =
          body -> {
            reasons.add(new String(body, StandardCharsets.UTF_8));
            return Answer.of(200, Resource.TEXT, answer);
          };
      try (var _ =
          servers.open(socket, Map.of(EvidenceRoute.ALIVE, alive, EvidenceRoute.PATH, half))) {
        assertThatThrownBy(
                () -> new AgentEvidence(socket).collect("by hand", null, answer.contains("x")))
            .isInstanceOf(IOException.class)
            .hasMessageMatching("(incomplete|unexpected) response");
      }
    }
    assertThat(reasons).hasSize(4).allMatch(form -> form.startsWith("reason=by+hand"));
  }

  @Test
  @DisplayName("ACT-108: what comes by the socket is shown without escape sequences and bounded")
  void hostile() throws Exception {
    Path socket = state.resolve(EvidenceRoute.SOCKET);
    Resource alive = query -> Answer.of(200, Resource.TEXT, "ok");
    AtomicReference<Answer> answer = new AtomicReference<>();
    PostResource other = body -> answer.get();
    try (var _ =
        servers.open(socket, Map.of(EvidenceRoute.ALIVE, alive, EvidenceRoute.PATH, other))) {
      AgentEvidence agent = new AgentEvidence(socket);
      answer.set(Answer.of(200, Resource.TEXT, "n\n0\n1\n/a\u001b[31m\nred \u001b[31mline\n\n"));
      EvidenceBundle bundle = agent.collect("by hand", null, true).bundle();
      assertThat(bundle.path()).hasToString("/a");
      assertThat(bundle.digest()).containsExactly("red line");

      answer.set(Answer.of(200, Resource.TEXT, "n\n0\n1\n-\n" + "line\n".repeat(21) + "\n"));
      assertThatThrownBy(() -> agent.collect("by hand", null, true))
          .hasMessage("incomplete response");
      answer.set(Answer.of(EvidenceRoute.BUSY, Resource.TEXT, "\u001b[31mbusy"));
      assertThatThrownBy(() -> agent.collect("by hand", null, true)).hasMessage("busy");
    }
  }

  @Test
  @DisplayName("ACT-108: only the agent's user and root reach the socket; without one it says so")
  void socket() throws IOException {
    Path socket = state.resolve(EvidenceRoute.SOCKET);
    try (DiagnosePart agent = agent(false)) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)))
          .isEqualTo("rw-------");
      assertThat(agent.note()).isEmpty();
      try (DiagnosePart second = agent(false)) {
        assertThat(second.problem()).isEmpty();
        assertThat(second.note()).contains("in its own process: ", "in use");
      }
      assertThat(diagnose()).isZero();
    }
  }
}
