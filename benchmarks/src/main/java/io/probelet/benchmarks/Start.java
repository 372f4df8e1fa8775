package io.probelet.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * The cost until {@code probelet agent} is ready. On a busy node its probes have to wait for that.
 * With and without what the JVM caches from earlier starts.
 */
final class Start {
  private static final int STARTS = 5;

  private final List<String> program;
  private final PrintStream out;

  /** Measures a program, called with the arguments of {@code probelet agent}. */
  Start(List<String> program, PrintStream out) {
    this.program = List.copyOf(program);
    this.out = out;
  }

  private record Cost(double cpuSeconds, double wallSeconds, double rssMiB) {}

  void run() throws IOException, GeneralSecurityException {
    Quiet.logs();
    out.printf(
        "median of %d starts until /readyz answers 200; API server by TLS, 10 pods, no runtime%n",
        STARTS);
    out.printf("%-14s %8s %8s %9s%n", "", "CPU s", "wall s", "RSS MiB");
    print("as shipped", "");
    print("without cache", "-XX:AOTMode=off");
  }

  private void print(String name, String javaOptions) throws IOException, GeneralSecurityException {
    List<Cost> costs = new ArrayList<>();
    start(javaOptions); // the first start reads files from the disk, or builds the program
    for (int i = 0; i < STARTS; i++) {
      costs.add(start(javaOptions));
    }
    out.printf(
        "%-14s %8.2f %8.2f %9.1f%n",
        name,
        median(costs.stream().mapToDouble(Cost::cpuSeconds)),
        median(costs.stream().mapToDouble(Cost::wallSeconds)),
        median(costs.stream().mapToDouble(Cost::rssMiB)));
  }

  private static double median(DoubleStream values) {
    return values.sorted().skip(STARTS / 2).findFirst().orElseThrow();
  }

  private Cost start(String javaOptions) throws IOException, GeneralSecurityException {
    Path directory = TemporaryFolder.create();
    try (PretendedApi api = PretendedApi.secure((_, _, _) -> {}, TlsServer.valid(directory))) {
      for (int i = 0; i < 10; i++) {
        String annotation = "web: {readiness: {tcpSocket: {port: 9}, period: 10s}}";
        api.put(
            "pods",
            "pod-" + i,
            PretendedPod.of("shop", "pod-" + i, Map.of("probelet.io/probes", annotation)));
      }
      try (AgentProcess agent =
          AgentProcess.start(
              directory,
              program,
              api,
              List.of("PROBELET_JAVA_OPTS=" + javaOptions),
              List.of("--monitor=none", "--log-format=json"))) {
        Waiting.untilWithin(600, "the agent is ready", () -> agent.isOk("/readyz"));
        return new Cost(
            agent.daemon().cpuMicros() / 1e6, agent.seconds(), agent.daemon().rssKiB() / 1024.0);
      }
    }
  }
}
