package io.probelet.cli.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.agent.diagnose.AgentParts;
import io.probelet.cli.Probelet;
import io.probelet.health.SystemClock;
import io.probelet.monitor.check.Machine;
import io.probelet.monitor.evidence.EvidenceBundle;
import io.probelet.probe.ProbeKind;
import io.probelet.web.Snapshots;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.NodeView;
import io.probelet.web.api.NodeView.ConditionView;
import io.probelet.web.api.NodeView.EventView;
import io.probelet.web.api.NodeView.Source;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** {@code probelet diagnose}, and the parts that an agent adds to a node's. */
@Timeout(120)
class DiagnoseCommandTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir Path dir;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private Path node() throws IOException {
    Path root = dir.resolve("node");
    Files.createDirectories(root.resolve("proc/sys/kernel"));
    Files.writeString(root.resolve("proc/sys/kernel/hostname"), "node-7\n");
    return root;
  }

  private Machine machine() throws IOException {
    return Machine.of(
        node(), dir.resolve("state"), Optional.empty(), SystemClock.INSTANCE, new Random(1));
  }

  private int diagnose(String... args) {
    CommandLine line = Probelet.commandLine(args);
    line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return line.execute(args);
  }

  /** The text of one file of a bundle, by the tar of the machine. */
  private static String file(Path bundle, String name) throws Exception {
    Process tar =
        new ProcessBuilder("tar", "-xzOf", bundle.toString(), "--wildcards", "*/" + name)
            .redirectErrorStream(true)
            .start();
    String text = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(tar.waitFor()).as(text).isZero();
    return text;
  }

  private static String part(Path bundle, String name, String field) throws Exception {
    for (JsonNode part : JSON.readTree(file(bundle, "manifest.json")).path("parts")) {
      if (part.path("name").asText().equals(name)) {
        return part.path(field).asText();
      }
    }
    throw new AssertionError("no part " + name);
  }

  @Test
  @DisplayName("ACT-102: without any readable source the bundle names the reason for each part")
  void nothing() throws Exception {
    Path bundle = dir.resolve("bundle.tar.gz");

    int exit =
        diagnose(
            "diagnose",
            "--output=" + bundle,
            "--host-root=" + node(),
            "--kmsg=" + dir.resolve("kmsg"),
            "--runtime-endpoint=none",
            "--address=127.0.0.1:1");

    assertThat(exit).as(err.toString()).isZero();
    assertThat(out.toString())
        .startsWith("node node-7 at ")
        .contains(": by hand\n")
        .contains("missing or incomplete: conditions, probes (no agent at 127.0.0.1:1")
        .contains(bundle + ": " + Files.size(bundle) + " bytes, sha-256 ");
    assertThat(part(bundle, "processes", "state")).isEqualTo("missing");
    assertThat(part(bundle, "containers", "why")).startsWith("no container runtime");
    assertThat(part(bundle, "conditions", "why")).startsWith("no agent at ");
  }

  /** By root, a device of the machine would be replaced by an archive. */
  @Test
  void replacesNoLink() throws Exception {
    Path target = Files.writeString(dir.resolve("target"), "kept");
    Path link = Files.createSymbolicLink(dir.resolve("link"), target);

    assertThat(diagnose("diagnose", "--output=" + link)).isEqualTo(2);

    assertThat(err.toString()).contains("is a link, a pipe or a device");
    assertThat(link).isSymbolicLink().hasContent("kept");
  }

  @Test
  void namesAnEmptyArchive() throws Exception {
    assertThat(diagnose("diagnose", "--archive=")).isEqualTo(2);
    assertThat(err.toString())
        .contains("--archive is empty; name a file, or - for standard output");
  }

  @Test
  @DisplayName("ACT-104: without --archive a bundle is kept with the agent's, or the command fails")
  void kept() throws Exception {
    Path config =
        Files.writeString(dir.resolve("agent.yaml"), "nodeMonitor:\n  stateFolder: " + dir);
    String[] args = {
      "diagnose",
      "--config=" + config,
      "--node-name=n",
      "--host-root=" + node(),
      "--kmsg=" + dir.resolve("kmsg"),
      "--runtime-endpoint=none",
      "--address=127.0.0.1:1"
    };

    assertThat(diagnose(args)).as(err.toString()).isZero();
    assertThat(dir.resolve("evidence")).isDirectoryContaining("glob:**/evidence-*-n.tar.gz");

    Path file = Files.writeString(dir.resolve("file"), "");
    Files.writeString(config, "nodeMonitor:\n  stateFolder: " + file);
    assertThat(diagnose(args)).isEqualTo(1);
    assertThat(out.toString()).contains("not saved on the node: ");
  }

  @Test
  void wrongUsage() throws Exception {
    Path config = Files.writeString(dir.resolve("agent.yaml"), "nonsense: 1\n");

    assertThat(diagnose("diagnose", "--config=" + config)).isEqualTo(2);
    assertThat(err.toString()).startsWith("probelet diagnose: " + config);
    assertThat(diagnose("diagnose", "--runtime-endpoint=x:y:z", "--node-name=n")).isEqualTo(2);
  }

  @Test
  @DisplayName(
      "ACT-106: the bundle has conditions, their history and probes, the digest the problems")
  void ofTheAgent() throws Exception {
    NodeView node =
        new NodeView(
            List.of(
                new ConditionView("Ready", "False", "Ok", "fine", "2026-11-21T12:00:00Z"),
                new ConditionView(
                    "KernelDeadlock", "True", "TaskHung", "task hung", "2026-11-21T12:00:00Z")),
            List.of(new EventView("2026-11-21T12:00:00Z", "kernel", "TaskHung", "task hung")),
            List.of(new Source("kernel", "running", "", "", 1, 1, 0, 0, 0, 0)),
            List.of(),
            "",
            null);
    List<ContainerView> containers =
        List.of(
            ContainerView.of(
                Snapshots.running(
                    "default",
                    "web",
                    "nginx",
                    Snapshots.succeeding(ProbeKind.READINESS, "httpGet"),
                    Snapshots.untried(ProbeKind.STARTUP, "exec"),
                    Snapshots.failing(ProbeKind.LIVENESS, "exec", "status 500, token=HUNTER2")),
                AgentParts.HISTORY));
    AgentParts parts =
        new AgentParts(
            machine(), dir.resolve("kmsg"), Optional::empty, () -> node, () -> containers);

    EvidenceBundle bundle = parts.keptBy("node-7", AgentParts.ring(machine())).collect("drain");

    Path archive = Objects.requireNonNull(bundle.path());
    assertThat(archive).startsWith(dir.resolve("state/evidence"));
    assertThat(file(archive, "conditions.jsonl").lines().map(DiagnoseCommandTest::kind))
        .containsExactly("condition", "condition", "event", "source");
    assertThat(file(archive, "probes.jsonl"))
        .contains("\"pod\":\"web\"", "token=[redacted]", "\"history\"")
        .doesNotContain("HUNTER2");
    assertThat(bundle.digest())
        .contains(
            "conditions: KernelDeadlock=True TaskHung since 2026-11-21T12:00:00Z: task hung",
            "probes: default/web nginx liveness failed: status 500, token=[redacted]")
        .noneMatch(line -> line.startsWith("conditions: Ready"));
    assertThat(bundle.digest().stream().filter(line -> line.startsWith("probes: "))).hasSize(1);
  }

  @Test
  @DisplayName("ACT-101: an agent whose loops do not answer still makes a bundle, without probes")
  void silentLoops() throws Exception {
    AgentParts parts =
        AgentParts.ofAgent(
            machine(),
            dir.resolve("kmsg"),
            Optional::empty,
            () -> CompletableFuture.failedFuture(new IllegalStateException("closed")),
            _ ->
                CompletableFuture.completedFuture(
                    List.of(
                        Snapshots.running(
                            "default",
                            "web",
                            "nginx",
                            Snapshots.succeeding(ProbeKind.READINESS, "httpGet")))));

    Path archive =
        Objects.requireNonNull(parts.keptBy("n", AgentParts.ring(machine())).collect("").path());

    assertThat(part(archive, "conditions", "why")).startsWith("the node monitor failed: ");
    assertThat(file(archive, "probes.jsonl")).contains("\"pod\":\"web\"");
  }

  private static String kind(String line) {
    try {
      return JSON.readTree(line).path("kind").asText();
    } catch (IOException malformed) {
      throw new AssertionError(malformed);
    }
  }

  @Test
  @DisplayName("ACT-102: a node without monitoring is not reported healthy")
  void unwatched() throws Exception {
    AgentParts parts =
        new AgentParts(
            machine(),
            dir.resolve("kmsg"),
            () -> Optional.of(dir.resolve("no.sock")),
            () -> NodeView.NONE,
            List::of);

    EvidenceBundle bundle = parts.keptBy("n", AgentParts.ring(machine())).collect("");

    Path archive = Objects.requireNonNull(bundle.path());
    assertThat(part(archive, "conditions", "state")).isEqualTo("missing");
    assertThat(part(archive, "conditions", "why")).isEqualTo("no node monitor runs on this node");
    assertThat(bundle.digest())
        .anyMatch(line -> line.startsWith("containers: the container runtime does not respond"));
  }
}
