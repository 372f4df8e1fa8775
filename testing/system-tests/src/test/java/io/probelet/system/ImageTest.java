package io.probelet.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.probelet.health.ReservedPort;
import io.probelet.kube.FakeApiServer;
import io.probelet.runtime.cri.KubeletStandIn;
import io.probelet.runtime.cri.KubeletStandIn.Executed;
import io.probelet.runtime.cri.NeedsContainerd;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.ExtendWith;

/** The container image in a real runtime; {@code PROBELET_IMAGE} names its archive. */
@ExtendWith(NeedsContainerd.class)
@EnabledIfEnvironmentVariable(named = "PROBELET_IMAGE", matches = ".+")
class ImageTest {
  private static final String NAME = "docker.io/library/probelet:0.1.0-SNAPSHOT";
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  @DisplayName("runs as a pod: not as root, on a read-only root, with its archive of classes")
  void pod() throws Exception {
    try (ContainerdNode node = new ContainerdNode();
        FakeApiServer api = new FakeApiServer();
        ReservedPort reserved = new ReservedPort()) {
      node.containerd.importImage(Path.of(System.getenv("PROBELET_IMAGE")));
      int port = reserved.number();
      long begun = System.nanoTime();
      String listen = "127.0.0.1:" + port;
      String container =
          node.kubelet.container(
              node.kubelet.pod("probelet"),
              "agent",
              NAME,
              List.of("agent", "--node-name=here", "--runtime-endpoint=none", "--listen=" + listen),
              Map.of("KUBERNETES_MASTER", api.url(), "PROBELET_LISTEN", listen));
      await()
          .atMost(TIMEOUT)
          .pollInterval(Duration.ofMillis(20))
          .ignoreExceptions()
          .until(() -> get(port, "/readyz").statusCode() == 200);
      Duration ready = Duration.ofNanos(System.nanoTime() - begun);

      assertThat(get(port, "/livez").body()).isEqualTo("ok\n");
      assertThat(get(port, "/metrics").body()).contains("probelet_build_info");
      Path process = process(port);
      assertThat(status(process, "Uid:")).startsWith("65532");
      assertThat(Files.readString(process.resolve("maps")))
          .contains("/app/probelet.jsa", "/usr/lib/libnetty_transport_native_epoll");
      commands(node.kubelet, container);
      await()
          .atMost(TIMEOUT)
          .until(() -> Files.readString(process.resolve("maps")).contains("/libsystemd.so.0"));
      System.out.printf(
          "image: pod ready %d ms after its container was asked for, RSS %s%n",
          ready.toMillis(), status(process, "VmRSS:"));
    }
  }

  /** As {@code kubectl exec} has them: no shell, no address. */
  private static void commands(KubeletStandIn kubelet, String container) throws Exception {
    long begun = System.nanoTime();
    Executed version = kubelet.exec(container, "probelet", "--version");
    Duration took = Duration.ofNanos(System.nanoTime() - begun);
    assertThat(version.out()).startsWith("probelet 0.");
    Executed status = kubelet.exec(container, "probelet", "status");
    assertThat(status.out()).as(status.err()).startsWith("No containers.");
    assertThat(status.exitCode()).isZero();
    Executed remediation = kubelet.exec(container, "probelet", "status", "--remediation");
    assertThat(remediation.err()).contains("/api/v1/remediation is not served there");
    assertThat(remediation.exitCode()).isEqualTo(2);
    System.out.printf("image: probelet --version beside the agent in %d ms%n", took.toMillis());
  }

  private HttpResponse<String> get(int port, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  private static Path process(int port) {
    return ProcessHandle.allProcesses()
        .map(each -> Path.of("/proc", Long.toString(each.pid())))
        .filter(each -> commandLine(each).contains("--listen=127.0.0.1:" + port))
        .findFirst()
        .orElseThrow();
  }

  private static String commandLine(Path process) {
    try {
      return Files.readString(process.resolve("cmdline"));
    } catch (IOException gone) {
      return "";
    }
  }

  private static String status(Path process, String field) throws IOException {
    return Files.readAllLines(process.resolve("status")).stream()
        .filter(line -> line.startsWith(field))
        .map(line -> line.substring(field.length()).strip())
        .findFirst()
        .orElseThrow();
  }
}
