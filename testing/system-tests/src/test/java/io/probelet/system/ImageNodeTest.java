package io.probelet.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.health.ReservedPort;
import io.probelet.kube.FakeApiServer;
import io.probelet.monitor.rule.JournalFiles;
import io.probelet.runtime.cri.ContainerAccess.Mount;
import io.probelet.runtime.cri.NeedsContainerd;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The node that the image's agent observes as deploy/ has it; {@code PROBELET_IMAGE} names it. */
@ExtendWith(NeedsContainerd.class)
@EnabledIfEnvironmentVariable(named = "PROBELET_IMAGE", matches = ".+")
class ImageNodeTest {
  private static final String NAME = "docker.io/library/probelet:0.1.0-SNAPSHOT";
  private static final Duration TIMEOUT = Duration.ofMinutes(4);

  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  @DisplayName(
      "B-17 as deploy/ has it, every default check observes the node, or says what it lacks")
  void seesTheNode(@TempDir Path folder) throws Exception {
    Map<String, String> lacking = new TreeMap<>(sources(folder, Path.of("/")));
    assertThat(lacking).hasSizeGreaterThan(20);
    lacking.values().removeIf("running"::equals);
    assertThat(lacking).isEqualTo(thisMachineLacks());
  }

  @Test
  @DisplayName("B-17 where a node has everything there is to observe, all of it is observed")
  void seesAll(@TempDir Path folder) throws Exception {
    try (PreparedNode node = new PreparedNode(folder.resolve("node"))) {
      Map<String, String> lacking = new TreeMap<>(sources(folder, node.root(), node.extraMounts()));
      lacking.values().removeIf("running"::equals);
      assertThat(lacking)
          .isEqualTo(
              Map.of(
                  "node-checks/inotify", "unavailable not-permitted",
                  // Its bus answers, and has no systemd.
                  "node-checks/systemd-units", "unavailable not-there"));
    }
  }

  /** What came of each source, by its name, once all have been tried. */
  private Map<String, String> sources(Path folder, Path root, Mount... more) throws Exception {
    try (ContainerdNode node = new ContainerdNode();
        FakeApiServer api = new FakeApiServer();
        ReservedPort reserved = new ReservedPort()) {
      node.containerd.importImage(Path.of(System.getenv("PROBELET_IMAGE")));
      api.put("{apiVersion: v1, kind: Node, metadata: {name: here}}");
      int port = reserved.number();
      ShippedAgent agent = new ShippedAgent(folder, node.containerd.socket(), root);
      node.kubelet.container(
          node.kubelet.pod("probelet"),
          "agent",
          NAME,
          agent.arguments(),
          agent.environment(api.url()),
          agent.access(port, more));
      Map<String, String> sources =
          await()
              .atMost(TIMEOUT)
              .ignoreExceptions()
              .until(() -> sources(port), ImageNodeTest::isSettled);
      System.out.println("image: what is observed as deployed of " + root);
      sources.forEach((source, state) -> System.out.printf("  %-32s %s%n", source, state));
      await()
          .atMost(TIMEOUT)
          .until(() -> written(api), all -> all.contains("not checked here: InotifyExhausted"));
      assertThat(written(api)).contains("\"type\":\"DiskFull\"").doesNotContain("NotObserved");
      return sources;
    }
  }

  /** A check that was late on a busy machine runs again. */
  private static boolean isSettled(Map<String, String> sources) {
    return !sources.containsValue("starting") && !sources.containsValue("failing");
  }

  private static String written(FakeApiServer api) throws IOException {
    return api.writes("/nodes/here/status").stream()
        .map(FakeApiServer.Request::body)
        .collect(Collectors.joining("\n"));
  }

  /** State and reason of each, by its name. */
  private Map<String, String> sources(int port) throws Exception {
    Map<String, String> sources = new TreeMap<>();
    for (JsonNode source :
        new ObjectMapper().readTree(get(port, "/api/v1/node").body()).path("sources")) {
      sources.put(
          source.path("name").asText(),
          (source.path("state").asText() + " " + source.path("reason").asText()).strip());
    }
    if (sources.isEmpty()) {
      throw new IOException("nothing is watched yet");
    }
    return sources;
  }

  /** What there is not on every machine, and SYS_PTRACE, which deploy/ does not give. */
  private static Map<String, String> thisMachineLacks() throws IOException {
    Map<String, String> lacks = new TreeMap<>();
    lacks.put("node-checks/inotify", "unavailable not-permitted");
    Map<String, Boolean> there =
        Map.of(
            "node-checks/kubelet", listens(10248),
            "node-checks/certificates", Files.exists(Path.of("/var/lib/kubelet/pki")),
            "node-checks/systemd-units", Files.exists(Path.of("/run/dbus/system_bus_socket")),
            "node-checks/kernel-panic",
                Files.readString(Path.of("/proc/1/mounts")).contains(" /sys/fs/pstore pstore "),
            "node-checks/hardware-errors", recordsHardwareErrors(),
            "systemd-monitor", JournalFiles.areIn(JournalFiles.folders(Path.of("/"), "")));
    there.forEach((check, exists) -> {
      if (!exists) {
        lacks.put(check, "unavailable not-there");
      }
    });
    return lacks;
  }

  private static boolean recordsHardwareErrors() throws IOException {
    if (Files.exists(Path.of("/sys/firmware/acpi/tables/data/BERT"))
        || Files.exists(Path.of("/sys/devices/system/edac/mc/mc0/ue_count"))) {
      return true;
    }
    Path pci = Path.of("/sys/bus/pci/devices");
    if (!Files.isDirectory(pci)) {
      return false;
    }
    try (Stream<Path> devices = Files.list(pci)) {
      return devices.anyMatch(device -> Files.exists(device.resolve("aer_dev_fatal")));
    }
  }

  private static boolean listens(int port) {
    try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return true;
    } catch (IOException nobody) {
      return false;
    }
  }

  private HttpResponse<String> get(int port, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }
}
