package io.probelet.benchmarks;

import com.sun.net.httpserver.HttpServer;
import io.probelet.health.SystemClock;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * {@code probelet run} on an edge box: ten pods as its local processes, each with an HTTP liveness
 * probe, and the built-in node monitors.
 */
final class RunWithPods {
  private static final int PODS = 10;

  private final List<String> program;
  private final PrintStream out;

  /** Measures a program, called with the arguments of {@code probelet run}. */
  RunWithPods(List<String> program, PrintStream out) {
    this.program = List.copyOf(program);
    this.out = out;
  }

  void run(int warmUp, int seconds) throws IOException {
    Path directory = TemporaryFolder.create();
    Path pods = Files.createDirectory(directory.resolve("pods"));
    AtomicInteger probes = new AtomicInteger();
    HttpServer target =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    target.createContext(
        "/",
        exchange -> {
          probes.incrementAndGet();
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    target.start();
    for (int i = 0; i < PODS; i++) {
      Files.writeString(pods.resolve(i + ".yaml"), pod(i, target.getAddress().getPort()));
    }
    long start = SystemClock.INSTANCE.nanoTime();
    try (Daemon daemon =
        Daemon.startIn(MemoryGroup.create(), directory, "run", command(directory, pods))) {
      Waiting.until("a first probe", () -> probes.get() > 0);
      double first = (SystemClock.INSTANCE.nanoTime() - start) / 1e9;
      Waiting.forSeconds(warmUp);
      long from = SystemClock.INSTANCE.nanoTime();
      long cpu = daemon.cpuMicros();
      int before = probes.get();
      Waiting.forSeconds(seconds);
      double window = (SystemClock.INSTANCE.nanoTime() - from) / 1e9;
      out.printf(
          "run with %d pods and what is built in to watch the node: first probe %.2f s after the"
              + " start; %s, %.2f %% of a core, %.1f probes/s%n",
          PODS,
          first,
          daemon.memory(),
          (daemon.cpuMicros() - cpu) / 1e4 / window,
          (probes.get() - before) / window);
    } finally {
      target.stop(0);
    }
  }

  private List<String> command(Path directory, Path pods) throws IOException {
    List<String> command = new ArrayList<>(Daemon.writingTo(directory.resolve("run.out")));
    command.addAll(
        List.of("env", "HOME=" + directory, "XDG_STATE_HOME=" + directory.resolve("state")));
    command.addAll(program);
    command.addAll(
        List.of(
            "run",
            pods.toString(),
            "--monitor=default",
            "--listen=127.0.0.1:" + AgentProcess.freePort(),
            "--log-dir=" + directory.resolve("logs")));
    return command;
  }

  private static String pod(int number, int port) {
    return """
    apiVersion: v1
    kind: Pod
    metadata: {namespace: edge, name: pod-%d}
    spec:
      containers:
      - name: web
        image: none
        command: [sleep, infinity]
        livenessProbe:
          httpGet: {host: 127.0.0.1, path: /, port: %d}
          periodSeconds: 10
    """
        .formatted(number, port);
  }
}
