package io.probelet.benchmarks;

import io.probelet.health.SystemClock;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * {@code probelet agent} as a separate process with a simulated API server. It gets the server's
 * address from its environment, as in a pod: reading a kubeconfig would load the client's whole
 * model.
 */
final class AgentProcess implements AutoCloseable {
  /** The node of each agent. */
  static final String NODE = "here";

  private static final int FIRST_PORT = 22_000;
  private static final int PORTS = 8_000;
  private static final AtomicInteger NEXT_PORT =
      new AtomicInteger((int) (ProcessHandle.current().pid() % PORTS));

  private final Daemon daemon;
  private final int port;
  private final long startNanos;

  private AgentProcess(Daemon daemon, int port, long startNanos) {
    this.daemon = daemon;
    this.port = port;
    this.startNanos = startNanos;
  }

  /**
   * Starts an agent.
   *
   * @param program the command without its arguments
   * @param options arguments in addition to those of every agent here
   */
  static AgentProcess start(
      Path directory,
      List<String> program,
      PretendedApi api,
      List<String> environment,
      List<String> options)
      throws IOException {
    return start(null, directory, program, api, environment, options);
  }

  /**
   * Starts an agent.
   *
   * @param group counts and limits its memory and ends with it; null for none
   * @param program the command without its arguments
   * @param options arguments in addition to those of every agent here
   */
  static AgentProcess start(
      @Nullable MemoryGroup group,
      Path directory,
      List<String> program,
      PretendedApi api,
      List<String> environment,
      List<String> options)
      throws IOException {
    if (api.known("nodes", NODE) == null) { // an agent asks again and again for one that is missing
      api.put("nodes", NODE, FleetObjects.nodeObject(NODE));
    }
    int port = freePort();
    List<String> command = new ArrayList<>(Daemon.writingTo(log(directory)));
    command.addAll(api.asInPod(directory));
    command.addAll(environment);
    command.addAll(program);
    command.addAll(
        List.of(
            "agent",
            "--node-name=" + NODE,
            "--runtime-endpoint=none",
            "--listen=127.0.0.1:" + port));
    command.addAll(options);
    long start = SystemClock.INSTANCE.nanoTime();
    return new AgentProcess(
        group == null
            ? Daemon.start(directory, "agent", command)
            : Daemon.startIn(group, directory, "agent", command),
        port,
        start);
  }

  /** {@return its standard output} */
  static Path log(Path directory) {
    return directory.resolve("agent.out");
  }

  Daemon daemon() {
    return daemon;
  }

  int port() {
    return port;
  }

  /** {@return seconds since its start} */
  double seconds() {
    return (SystemClock.INSTANCE.nanoTime() - startNanos) / 1e9;
  }

  /** {@return whether a path answers 200 now} */
  boolean isOk(String path) {
    try {
      HttpURLConnection connection = connect(path);
      boolean ok = connection.getResponseCode() == 200;
      connection.disconnect();
      return ok;
    } catch (IOException notYet) {
      return false;
    }
  }

  /** {@return the number of its probe workers, from its metrics} */
  int workers() throws IOException {
    return (int) sum(metrics(), line -> line.startsWith("probelet_workers{"));
  }

  /** {@return the sum of the integer values of selected metrics} */
  static long sum(String metrics, Predicate<String> chosen) {
    return metrics
        .lines()
        .filter(chosen)
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  /** {@return its metrics, in Prometheus' text format} */
  String metrics() throws IOException {
    return answer("/metrics");
  }

  /** {@return its response to a request} */
  String answer(String path) throws IOException {
    try (var answer = connect(path).getInputStream()) {
      return new String(answer.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private HttpURLConnection connect(String path) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) URI.create("http://127.0.0.1:" + port + path).toURL().openConnection();
    connection.setConnectTimeout(5_000);
    connection.setReadTimeout(5_000);
    connection.setRequestProperty("Connection", "close");
    return connection;
  }

  /**
   * {@return an unused port of loopback} It is below the kernel's range for outgoing connections:
   * within that range a probe could occupy it before its program does.
   */
  static int freePort() throws IOException {
    IOException taken = new IOException();
    for (int i = 0; i < PORTS; i++) {
      int port = FIRST_PORT + NEXT_PORT.getAndIncrement() % PORTS;
      try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      } catch (IOException next) {
        taken = next;
      }
    }
    throw taken;
  }

  @Override
  public void close() {
    daemon.close();
  }
}
