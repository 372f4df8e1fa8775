package io.probelet.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.health.ReservedPort;
import io.probelet.kube.FakeApiServer;
import io.probelet.runtime.cri.ContainerAccess;
import io.probelet.runtime.cri.ContainerAccess.Mount;
import io.probelet.runtime.cri.NeedsContainerd;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A plugin and a journal of the node, for the image's agent; {@code PROBELET_IMAGE} names it. */
@ExtendWith(NeedsContainerd.class)
@EnabledIfEnvironmentVariable(named = "PROBELET_IMAGE", matches = ".+")
class ImagePluginTest {
  private static final String NAME = "docker.io/library/probelet:0.1.0-SNAPSHOT";
  private static final Duration TIMEOUT = Duration.ofMinutes(2);
  private static final Path JOURNAL_REMOTE = Path.of("/usr/lib/systemd/systemd-journal-remote");

  private final HttpClient http = HttpClient.newHttpClient();

  @TempDir Path root;
  @TempDir Path config;

  @Test
  @DisplayName(
      "A-6, A-1 the image has no shell: plugins run in the node's root, and it reads the"
          + " node's journal without journalctl")
  void inTheNodesRoot() throws Exception {
    assumeThat(Path.of("/bin/busybox")).as("needs busybox-static").isRegularFile();
    assumeThat(JOURNAL_REMOTE).as("needs systemd-journal-remote").isRegularFile();
    busybox();
    journal();
    monitors();
    try (ContainerdNode node = new ContainerdNode();
        FakeApiServer api = new FakeApiServer();
        ReservedPort reserved = new ReservedPort()) {
      node.containerd.importImage(Path.of(System.getenv("PROBELET_IMAGE")));
      api.put("{apiVersion: v1, kind: Node, metadata: {name: here}}");
      int port = reserved.number();
      start(node, api, port, root);
      Map<String, String> conditions =
          await()
              .atMost(TIMEOUT)
              .ignoreExceptions()
              .until(() -> conditions(port, 2), found -> !found.toString().contains("well"));
      assertThat(conditions)
          .containsEntry("TableFull", "True: 95 of 100 on a-node")
          .containsEntry("KubeletPanicked", "True: panic: no more");
    }
  }

  @Test
  @DisplayName(
      "A-6 node-problem-detector's own plugins find in the image what they find on the node;"
          + " NPD_CONFIG names its folder config")
  @EnabledIfEnvironmentVariable(named = "NPD_CONFIG", matches = ".+")
  void nodeProblemDetectors() throws Exception {
    Path theirs = Path.of(System.getenv("NPD_CONFIG"));
    Files.setPosixFilePermissions(config, PosixFilePermissions.fromString("rwxr-xr-x"));
    for (String name : List.of("check_ntp.sh", "dns_problem.sh", "network_problem.sh")) {
      Path plugin = Files.copy(theirs.resolve("plugin").resolve(name), config.resolve(name));
      Files.setPosixFilePermissions(plugin, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
    for (String name : List.of("custom-plugin-monitor.json", "network-problem-monitor.json")) {
      Files.copy(theirs.resolve(name), config.resolve(name));
    }
    Found ntp = onTheNode("check_ntp.sh");
    Found dns = onTheNode("dns_problem.sh");
    assumeThat(dns.code()).as("no kubernetes.default here").isEqualTo(1);
    try (ContainerdNode node = new ContainerdNode();
        FakeApiServer api = new FakeApiServer();
        ReservedPort reserved = new ReservedPort()) {
      node.containerd.importImage(Path.of(System.getenv("PROBELET_IMAGE")));
      api.put("{apiVersion: v1, kind: Node, metadata: {name: here}}");
      int port = reserved.number();
      start(node, api, port, Path.of("/"));
      Map<String, String> conditions =
          await()
              .atMost(TIMEOUT)
              .ignoreExceptions()
              .until(() -> conditions(port, 1), found -> !found.toString().contains("is up"));
      assertThat(conditions).containsEntry("NTPProblem", ntp.status() + ": " + ntp.output());
      await()
          .atMost(TIMEOUT)
          .until(
              () -> api.writes("/events"),
              events ->
                  events.stream()
                      .anyMatch(event ->
                          event.body().contains("DNSUnreachable")
                              && event.body().contains(dns.output())));
    }
  }

  /** What a plugin ends with and prints when the node itself runs it. */
  private record Found(int code, String output) {
    String status() {
      return code == 0 ? "False" : code == 1 ? "True" : "Unknown";
    }
  }

  private Found onTheNode(String plugin) throws Exception {
    Process run =
        new ProcessBuilder(config.resolve(plugin).toString())
            .redirectError(Redirect.DISCARD)
            .start();
    String output = new String(run.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Found(run.waitFor(), output.strip());
  }

  private void start(ContainerdNode node, FakeApiServer api, int port, Path nodesRoot)
      throws Exception {
    node.kubelet.container(
        node.kubelet.pod("probelet"),
        "agent",
        NAME,
        List.of(
            "agent",
            "--node-name=here",
            "--runtime-endpoint=none",
            "--listen=127.0.0.1:" + port,
            "--monitor=/config/plugin",
            "--host-root=/host"),
        Map.of("KUBERNETES_MASTER", api.url(), "XDG_STATE_HOME", "/tmp"),
        new ContainerAccess(
            0,
            List.of("SYS_CHROOT"),
            List.of(
                new Mount("/host", nodesRoot, true, false),
                new Mount("/config/plugin", config, true, false))));
  }

  private Map<String, String> conditions(int port, int least) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + port + "/api/v1/node");
    String body = http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
    Map<String, String> conditions = new TreeMap<>();
    for (JsonNode condition : new ObjectMapper().readTree(body).path("conditions")) {
      conditions.put(
          condition.path("type").asText(),
          condition.path("status").asText() + ": " + condition.path("message").asText());
    }
    if (conditions.size() < least) {
      throw new IOException("not all is known yet: " + body);
    }
    return conditions;
  }

  private void busybox() throws Exception {
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path bin = Files.createDirectories(root.resolve("bin"));
    Files.copy(Path.of("/bin/busybox"), bin.resolve("busybox"));
    for (String name : List.of("sh", "cat")) {
      Files.createSymbolicLink(bin.resolve(name), Path.of("busybox"));
    }
    Files.createDirectories(root.resolve("etc"));
    Files.writeString(root.resolve("etc/hostname"), "a-node\n");
    Path random = Files.createDirectories(root.resolve("proc/sys/kernel/random"));
    Files.writeString(random.resolve("boot_id"), "a-boot\n");
    Files.writeString(root.resolve("proc/uptime"), "7200.00 7200.00\n");
    Path plugin = Files.createDirectories(root.resolve("opt/checks")).resolve("table.sh");
    Files.writeString(plugin, "#!/bin/sh\necho \"95 of 100 on $(cat /etc/hostname)\"\nexit 1\n");
    Files.setPosixFilePermissions(plugin, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private void journal() throws Exception {
    Path folder = Files.createDirectories(root.resolve("var/log/journal/" + "0".repeat(31) + "1"));
    Process writer =
        new ProcessBuilder(
                JOURNAL_REMOTE.toString(), "--output=" + folder.resolve("system.journal"), "-")
            .redirectError(Redirect.DISCARD)
            .start();
    try (var to = writer.getOutputStream()) {
      to.write(
          """
          __REALTIME_TIMESTAMP=%d
          __MONOTONIC_TIMESTAMP=1
          _BOOT_ID=%s
          SYSLOG_IDENTIFIER=kubelet
          MESSAGE=panic: no more

          """
              .formatted(System.currentTimeMillis() * 1000, "f".repeat(32))
              .getBytes(StandardCharsets.UTF_8));
    }
    assertThat(writer.waitFor()).isZero();
  }

  private void monitors() throws Exception {
    Files.setPosixFilePermissions(config, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(config.resolve("beside.sh"), "#!/bin/sh\n");
    Files.writeString(
        config.resolve("table.json"),
        """
        {"plugin": "custom", "source": "table",
         "pluginConfig": {"timeout": "30s"},
         "conditions": [{"type": "TableFull", "reason": "TableFine", "message": "well"}],
         "rules": [{"type": "permanent", "condition": "TableFull", "reason": "Full",
                    "path": "/opt/checks/table.sh", "timeout": "30s"}]}
        """);
    Files.writeString(
        config.resolve("kubelet.json"),
        """
        {"plugin": "journald", "source": "kubelet", "lookback": "1h",
         "pluginConfig": {"source": "kubelet"},
         "conditions": [{"type": "KubeletPanicked", "reason": "NoPanic", "message": "well"}],
         "rules": [{"type": "permanent", "condition": "KubeletPanicked", "reason": "Panic",
                    "pattern": "panic: .*"}]}
        """);
  }
}
