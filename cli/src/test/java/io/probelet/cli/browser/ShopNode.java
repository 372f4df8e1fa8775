package io.probelet.cli.browser;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.cli.agent.AgentUnderTest;
import io.probelet.health.ReservedPort;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A real agent that runs and probes a few containers and watches a kernel's log: one container is
 * well, one as a test wants it, one flaps and one crashes.
 */
final class ShopNode implements AutoCloseable {
  private final Path directory;
  private final AgentUnderTest agent;
  private final ReservedPort port;
  private final AtomicInteger lines = new AtomicInteger();

  private ShopNode(Path directory, AgentUnderTest agent, ReservedPort port) {
    this.directory = directory;
    this.agent = agent;
    this.port = port;
  }

  /** Starts it; everything but the crashing container becomes ready. */
  static ShopNode start(Path directory) throws IOException {
    Path pods = Files.createDirectories(directory.resolve("pods"));
    Files.createDirectories(directory.resolve("web"));
    Files.createDirectories(directory.resolve("checkout"));
    Files.writeString(directory.resolve("web/ready"), "ok\n");
    Files.createFile(directory.resolve("kmsg"));
    ReservedPort port = new ReservedPort();
    resource("pods.yaml", directory, port, pods.resolve("pods.yaml"));
    Path monitor = directory.resolve("monitor.yaml");
    resource("monitor.yaml", directory, port, monitor);
    says(directory, "ok");
    Files.createFile(directory.resolve("checkout/well"));
    return new ShopNode(
        directory,
        AgentUnderTest.start(
            "run",
            pods.toString(),
            "--listen=127.0.0.1:0",
            "--log-dir=" + directory.resolve("logs"),
            "--back-off=5s",
            "--monitor=" + monitor,
            "--kmsg=" + directory.resolve("kmsg")),
        port);
  }

  private static void resource(String name, Path directory, ReservedPort port, Path to)
      throws IOException {
    try (InputStream text = ShopNode.class.getResourceAsStream(name)) {
      Files.writeString(
          to,
          new String(text.readAllBytes(), UTF_8)
              .replace("@DIR@", directory.toString())
              .replace("@PORT@", Integer.toString(port.number())));
    }
  }

  /** Where its page is. */
  URI page() {
    return agent.address().resolve("/");
  }

  /** What the API says of one of its pods' only container. */
  JsonNode container(String pod) throws IOException, InterruptedException {
    for (JsonNode each : agent.containers()) {
      if (each.path("pod").asText().equals(pod)) {
        return each;
      }
    }
    return agent.containers().path("absent");
  }

  /** Makes checkout's readiness probe fail, saying why. */
  void breakCheckout(String why) throws IOException {
    says(directory, why);
    Files.deleteIfExists(directory.resolve("checkout/well"));
  }

  /** Makes checkout's readiness probe succeed again. */
  void healCheckout() throws IOException {
    says(directory, "ok");
    Files.writeString(directory.resolve("checkout/well"), "");
  }

  private static void says(Path directory, String what) throws IOException {
    Path fresh = directory.resolve("checkout/said.new");
    Files.writeString(fresh, what + "\n");
    Files.move(fresh, directory.resolve("checkout/said"), StandardCopyOption.ATOMIC_MOVE);
  }

  /** Makes the kernel say something now: what it said before the agent's start does not count. */
  void kernel(String line) throws IOException {
    String uptime = Files.readString(Path.of("/proc/uptime")).split(" ", 2)[0];
    long micros = new BigDecimal(uptime).movePointRight(6).longValueExact();
    Files.writeString(
        directory.resolve("kmsg"),
        "4,%d,%d,-;%s%n".formatted(lines.incrementAndGet(), micros, line),
        StandardOpenOption.APPEND);
  }

  /** Its containers would outlive an agent that is killed. */
  @Override
  public void close() throws IOException {
    try (port;
        agent) {
      agent.signal("TERM");
      agent.exitCode();
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
  }
}
