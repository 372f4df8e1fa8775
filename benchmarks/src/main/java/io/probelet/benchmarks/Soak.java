package io.probelet.benchmarks;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.SystemClock;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * {@code probelet agent} with 150 annotated containers of pods that come and go, some of which fail
 * all the time: does any resource usage grow?
 */
final class Soak {
  private static final int PODS = 50;
  private static final List<String> CONTAINERS = List.of("web", "beside", "tls");

  /** How often a pod of the node is replaced; all of them are replaced within two minutes. */
  private static final int CHURN_SECONDS = 2;

  private static final int REPORT_SECONDS = 60;

  /** What deploy/daemonset.yaml allows. */
  private static final double MAX_RSS_MIB = 192;

  /**
   * Allowed growth of memory after the warm-up. The heap as a whole is not compared: garbage fills
   * it up to -Xmx before the old generation is collected.
   */
  private static final double MAX_GROWTH = 0.10;

  /** Open connections, and threads of short tasks, vary from moment to moment. */
  private static final int MAX_MORE_DESCRIPTORS = 30;

  private static final int MAX_MORE_THREADS = 5;

  private final List<String> program;
  private final PrintStream out;

  /** Measures a program, called with the arguments of {@code probelet agent}. */
  Soak(List<String> program, PrintStream out) {
    this.program = List.copyOf(program);
    this.out = out;
  }

  /** Returns whether everything stayed within its allowed growth. */
  boolean run(int warmUp, int seconds) throws IOException, GeneralSecurityException {
    Quiet.logs();
    Path directory = TemporaryFolder.create();
    try (PretendedApi api = PretendedApi.secure((_, _, _) -> {}, TlsServer.valid(directory));
        HonestTarget target = new HonestTarget(Integer.MAX_VALUE);
        HostileTarget others = new HostileTarget(directory)) {
      int tls = others.port(HostileTarget.Way.EXPIRED);
      IntStream.range(0, PODS / 10).forEach(i -> target.answer("/web-" + i, 503));
      for (int i = 0; i < PODS; i++) {
        put(api, i, 0, target.port(), tls);
      }
      try (AgentProcess agent =
          AgentProcess.start(
              directory,
              program,
              api,
              List.of("PROBELET_JAVA_OPTS=-XX:NativeMemoryTracking=summary"),
              List.of("--monitor=none", "--log-format=json"))) {
        Waiting.untilWithin(600, "all are probed", () -> agent.workers() == 2 * 3 * PODS);
        int replaced = churn(api, agent, target.port(), tls, 0, warmUp);
        Footprint begin = Footprint.of(agent.daemon());
        out.println(Footprint.HEADER);
        out.println(begin.line(0));
        replaced = churn(api, agent, target.port(), tls, replaced, seconds);
        Waiting.untilWithin(60, "all are probed again", () -> agent.workers() == 2 * 3 * PODS);
        Footprint end = Footprint.of(agent.daemon());
        out.println(end.line(seconds));
        out.println(end.areasSince(begin));
        return report(begin, end, replaced, agent.workers());
      }
    }
  }

  private int churn(
      PretendedApi api, AgentProcess agent, int port, int tls, int replaced, int seconds)
      throws IOException {
    long began = SystemClock.INSTANCE.nanoTime();
    int next = replaced;
    for (int second = 0; second < seconds; second += CHURN_SECONDS) {
      int slot = next % PODS;
      api.remove("pods", name(slot, next / PODS));
      next++;
      put(api, slot, (next - 1) / PODS + 1, port, tls);
      if (second % REPORT_SECONDS == 0) {
        agent.workers(); // like a Prometheus
        out.printf(
            "%5d s: RSS %.1f MiB%n", (int) agent.seconds(), agent.daemon().rssKiB() / 1024.0);
      }
      Waiting.until(began + (second + CHURN_SECONDS) * 1_000_000_000L);
    }
    return next;
  }

  private boolean report(Footprint begin, Footprint end, int replaced, int workers) {
    boolean[] goals = {
      end.rssMiB() <= MAX_RSS_MIB,
      end.outsideHeapMiB() <= begin.outsideHeapMiB() * (1 + MAX_GROWTH),
      end.heapMiB() <= begin.heapMiB() * (1 + MAX_GROWTH),
      end.descriptors() <= begin.descriptors() + MAX_MORE_DESCRIPTORS,
      end.threads() <= begin.threads() + MAX_MORE_THREADS,
      workers == 2 * 3 * PODS
    };
    String[] lines = {
      "RSS %.1f -> %.1f MiB (goal <= %.0f)".formatted(begin.rssMiB(), end.rssMiB(), MAX_RSS_MIB),
      "RSS without the heap %.1f -> %.1f MiB (goal: at most %.0f %% more)"
          .formatted(begin.outsideHeapMiB(), end.outsideHeapMiB(), 100 * MAX_GROWTH),
      "heap after a full collection %.1f -> %.1f MiB (the same goal)"
          .formatted(begin.heapMiB(), end.heapMiB()),
      "open files %d -> %d (goal: at most %d more)"
          .formatted(begin.descriptors(), end.descriptors(), MAX_MORE_DESCRIPTORS),
      "threads %d -> %d (goal: at most %d more)"
          .formatted(begin.threads(), end.threads(), MAX_MORE_THREADS),
      "%d pods were replaced; %d probes at the end (goal: %d)"
          .formatted(replaced, workers, 2 * 3 * PODS)
    };
    boolean all = true;
    for (int i = 0; i < goals.length; i++) {
      out.println((goals[i] ? "reached  " : "MISSED   ") + lines[i]);
      all &= goals[i];
    }
    return all;
  }

  private static void put(PretendedApi api, int slot, int generation, int port, int tls)
      throws IOException {
    String name = name(slot, generation);
    api.put("pods", name, pod(slot, name, port, tls));
  }

  private static String name(int slot, int generation) {
    return "pod-" + slot + "-" + generation;
  }

  /** One in ten is not ready, with a different event each time. */
  private static ObjectNode pod(int slot, String name, int port, int tls) {
    String probes =
        """
        web: {readiness: {httpGet: {path: /web-%1$d, port: %2$d}, period: 1s},
              liveness: {httpGet: {path: /live-%1$d, port: %2$d}, period: 2s}}
        beside: {readiness: {httpGet: {path: /beside-%1$d, port: %2$d}, period: 5s},
                 liveness: {tcpSocket: {port: %2$d}, period: 5s}}
        tls: {readiness: {httpGet: {path: /, port: %3$d, scheme: HTTPS}, period: 5s,
                expect: {statuses: [200-299], body: {matches: 'o[a-z]'}}},
              liveness: {httpGet: {path: /, port: %3$d, scheme: HTTPS}, period: 10s}}
        """
            .formatted(slot, port, tls);
    return PretendedPod.of(
        "shop-" + slot % 10, name, Map.of("probelet.io/probes", probes), CONTAINERS);
  }
}
