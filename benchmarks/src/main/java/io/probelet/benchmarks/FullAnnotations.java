package io.probelet.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.SystemClock;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code probelet agent} on a node with 280 pods, each with the largest annotation that is allowed:
 * does it start, does it probe all of them, and does it stay within its memory?
 */
final class FullAnnotations {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int PODS = 280;
  private static final int PROBES_OF_A_POD = 2;

  /** What deploy/daemonset.yaml allows. */
  private static final double MAX_RSS_MIB = 192;

  private final List<String> program;
  private final PrintStream out;

  /** Measures a program, which gets the arguments of {@code probelet agent}. */
  FullAnnotations(List<String> program, PrintStream out) {
    this.program = List.copyOf(program);
    this.out = out;
  }

  /** Returns whether it did. */
  boolean run(int warmUp, int seconds) throws IOException {
    Path directory = Files.createTempDirectory("probelet-bench");
    int listen = freePort();
    try (PretendedApi api = new PretendedApi((_, _, _) -> {})) {
      for (int i = 0; i < PODS; i++) {
        api.put("pods", "pod-" + i, pod(i));
      }
      // What it says fills a pipe that nobody reads.
      String log = directory.resolve("agent.out").toString();
      List<String> command = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" >\"$0\"", log));
      command.addAll(
          List.of(
              "env", "-u", "KUBECONFIG", "HOME=" + directory, "KUBERNETES_MASTER=" + api.url()));
      command.addAll(program);
      command.addAll(
          List.of(
              "agent",
              "--node-name=here",
              "--runtime-endpoint=none",
              "--monitor=none",
              "--listen=127.0.0.1:" + listen));
      long start = SystemClock.INSTANCE.nanoTime();
      try (Daemon agent = Daemon.start(directory, "agent", command)) {
        Waiting.until("the first pods are probed", () -> workers(listen) > 0);
        Waiting.until("a third of them are", () -> workers(listen) >= PODS * PROBES_OF_A_POD / 3);
        Waiting.until("two thirds are", () -> workers(listen) >= PODS * PROBES_OF_A_POD * 2 / 3);
        Waiting.until("all are", () -> workers(listen) == PODS * PROBES_OF_A_POD);
        double all = (SystemClock.INSTANCE.nanoTime() - start) / 1e9;
        Waiting.forSeconds(warmUp + seconds);
        boolean alive = workers(listen) == PODS * PROBES_OF_A_POD;
        double peak = agent.peakRssKiB() / 1024.0;
        out.printf(
            "%d pods with %d handlers and %d bytes of annotation each: all probed %.1f s after the"
                + " start, %s %d s later; RSS %.1f MiB, peak %.1f (goal <= %.0f)%n",
            PODS,
            32,
            LargestAnnotation.of(0).getBytes(StandardCharsets.UTF_8).length,
            all,
            alive ? "still so" : "no longer",
            warmUp + seconds,
            agent.rssKiB() / 1024.0,
            peak,
            MAX_RSS_MIB);
        return alive && peak <= MAX_RSS_MIB;
      }
    }
  }

  private static int workers(int listen) throws IOException {
    try (var answer = URI.create("http://127.0.0.1:" + listen + "/metrics").toURL().openStream()) {
      return new String(answer.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> line.startsWith("probelet_workers{"))
          .mapToInt(line -> (int) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
          .sum();
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static ObjectNode pod(int number) {
    ObjectNode pod = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Pod");
    pod.withObject("/metadata")
        .put("namespace", "shop-" + number % 10)
        .putObject("annotations")
        .put("probelet.io/probes", LargestAnnotation.of(number));
    pod.withObject("/spec")
        .put("nodeName", "here")
        .put("restartPolicy", "Always")
        .putArray("containers")
        .addObject()
        .put("name", "web");
    ObjectNode status = pod.withObject("/status").put("phase", "Running").put("podIP", "127.0.0.1");
    status
        .putArray("containerStatuses")
        .addObject()
        .put("name", "web")
        .put("ready", true)
        .put("started", true)
        .put("containerID", "containerd://web-" + number)
        .putObject("state")
        .putObject("running")
        .put("startedAt", "2026-01-01T00:00:00Z");
    return pod;
  }
}
