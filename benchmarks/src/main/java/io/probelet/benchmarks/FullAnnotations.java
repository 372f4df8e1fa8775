package io.probelet.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * {@code probelet agent} on a node with 280 pods, each with the largest allowed annotation: does it
 * start, does it probe all of them, and does it stay within its memory?
 */
final class FullAnnotations {
  private static final int PODS = 280;
  private static final int PROBES_OF_A_POD = 2;

  /** What deploy/daemonset.yaml allows. */
  private static final double MAX_RSS_MIB = 192;

  private final List<String> program;
  private final PrintStream out;

  /** Measures a program, called with the arguments of {@code probelet agent}. */
  FullAnnotations(List<String> program, PrintStream out) {
    this.program = List.copyOf(program);
    this.out = out;
  }

  /** Returns whether all three hold. */
  boolean run(int warmUp, int seconds) throws IOException {
    Path directory = TemporaryFolder.create();
    try (PretendedApi api = new PretendedApi((_, _, _) -> {})) {
      for (int i = 0; i < PODS; i++) {
        String name = "pod-" + i;
        Map<String, String> annotations = Map.of("probelet.io/probes", LargestAnnotation.of(i));
        api.put("pods", name, PretendedPod.of("shop-" + i % 10, name, annotations));
      }
      try (AgentProcess agent =
          AgentProcess.start(directory, program, api, List.of(), List.of("--monitor=none"))) {
        Waiting.until("the first pods are probed", () -> agent.workers() > 0);
        Waiting.until("a third of them are", () -> agent.workers() >= PODS * PROBES_OF_A_POD / 3);
        Waiting.until("two thirds are", () -> agent.workers() >= PODS * PROBES_OF_A_POD * 2 / 3);
        Waiting.until("all are", () -> agent.workers() == PODS * PROBES_OF_A_POD);
        double all = agent.seconds();
        Waiting.forSeconds(warmUp + seconds);
        boolean alive = agent.workers() == PODS * PROBES_OF_A_POD;
        double peak = agent.daemon().peakRssKiB() / 1024.0;
        out.printf(
            "%d pods with %d handlers and %d bytes of annotation each: all probed %.1f s after the"
                + " start, %s %d s later; RSS %.1f MiB, peak %.1f (goal <= %.0f)%n",
            PODS,
            32,
            LargestAnnotation.of(0).getBytes(StandardCharsets.UTF_8).length,
            all,
            alive ? "still so" : "no longer",
            warmUp + seconds,
            agent.daemon().rssKiB() / 1024.0,
            peak,
            MAX_RSS_MIB);
        return alive && peak <= MAX_RSS_MIB;
      }
    }
  }
}
