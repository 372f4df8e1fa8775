package io.probelet.benchmarks;

import io.probelet.health.SystemClock;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/**
 * {@code probelet agent} is started repeatedly with hardly any CPU time, beside healthy pods with
 * short timeouts: no probe may fail. Discarded probes are counted separately.
 */
final class Restarts {
  private static final int TIMEOUT_SECONDS = 120;

  private final List<String> program;
  private final PrintStream out;

  /** Measures a program, called with the arguments of {@code probelet agent}. */
  Restarts(List<String> program, PrintStream out) {
    this.program = List.copyOf(program);
    this.out = out;
  }

  private record Result(double firstProbeSeconds, Probes probes) {}

  /** The results of probes. */
  private record Probes(long failed, long discarded, long successful) {}

  /**
   * Starts agents and prints the results of the pods.
   *
   * @param count total number of agents
   * @param atOnce how many run at a time, each with its own pods and quota
   * @param millicores quota of each, in thousandths of a core
   * @param seconds how long each probes
   * @return whether no probe failed
   */
  boolean run(int count, int atOnce, int millicores, int seconds)
      throws IOException, GeneralSecurityException {
    Quiet.logs();
    Path directory = TemporaryFolder.create();
    TlsServer tls = TlsServer.valid(directory);
    List<Result> results = new ArrayList<>();
    try (ExecutorService starts = Executors.newFixedThreadPool(atOnce)) {
      List<Future<Result>> under = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        Path own = Files.createDirectory(directory.resolve("start-" + i));
        under.add(starts.submit(() -> start(own, tls, millicores, seconds)));
      }
      for (Future<Result> one : under) {
        results.add(one.get());
      }
    } catch (ExecutionException failed) {
      throw new IOException("a start could not be measured: " + failed.getCause(), failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    }
    return report(results, millicores);
  }

  private boolean report(List<Result> results, int millicores) {
    long bad = results.stream().filter(each -> each.probes().failed() > 0).count();
    out.printf(
        "%d starts with %d millicores, 10 healthy pods each (HTTP, HTTPS, TCP, gRPC; period 500"
            + " ms, timeout 250 ms): in %d of them probes failed, %d in all; discarded %d,"
            + " successful %d; first probe %.1f s after the start (median), %.1f at most%n",
        results.size(),
        millicores,
        bad,
        sum(results, Probes::failed),
        sum(results, Probes::discarded),
        sum(results, Probes::successful),
        results.stream()
            .mapToDouble(Result::firstProbeSeconds)
            .sorted()
            .skip(results.size() / 2)
            .findFirst()
            .orElseThrow(),
        results.stream().mapToDouble(Result::firstProbeSeconds).max().orElseThrow());
    return bad == 0;
  }

  private static long sum(List<Result> results, ToLongFunction<Probes> what) {
    return results.stream().map(Result::probes).mapToLong(what).sum();
  }

  private Result start(Path directory, TlsServer tls, int millicores, int seconds)
      throws IOException, GeneralSecurityException {
    int grpc = AgentProcess.freePort();
    String name = "probelet-" + SystemClock.INSTANCE.nanoTime();
    try (CpuLimit quota = CpuLimit.of(name, millicores);
        PretendedApi api = PretendedApi.secure((_, _, _) -> {}, tls);
        HonestTarget target = new HonestTarget(Long.MAX_VALUE / 1_000_000);
        GrpcTarget _ = GrpcTarget.start(List.of(grpc))) {
      pods(api, target.port(), grpc);
      try (AgentProcess agent =
          AgentProcess.start(
              directory,
              quota.around(program),
              api,
              List.of(),
              List.of("--monitor=none", "--log-format=json"))) {
        Waiting.untilWithin(TIMEOUT_SECONDS, "the first probe", () -> target.paths() > 0);
        double first = agent.seconds();
        Waiting.forSeconds(seconds);
        quota.lift(); // its metrics must arrive in time
        return new Result(first, count(agent.metrics()));
      }
    }
  }

  private static void pods(PretendedApi api, int port, int grpc) throws IOException {
    int secure = Integer.parseInt(api.url().substring(api.url().lastIndexOf(':') + 1));
    String http = "httpGet: {path: /, port: " + port + "}";
    String https = "httpGet: {path: /api/v1, port: " + secure + ", scheme: HTTPS}";
    String tcp = "tcpSocket: {port: " + port + "}";
    List<String> handlers =
        List.of(
            http,
            http,
            http,
            http,
            tcp,
            tcp,
            https,
            https,
            "grpc: {port: " + grpc + "}",
            "grpc: {port: " + grpc + "}");
    for (int i = 0; i < handlers.size(); i++) {
      String annotation =
          "web: {readiness: {%s, period: 500ms, timeout: 250ms, failureThreshold: 1}}"
              .formatted(handlers.get(i));
      api.put(
          "pods",
          "pod-" + i,
          PretendedPod.of("shop", "pod-" + i, Map.of("probelet.io/probes", annotation)));
    }
  }

  /** Adds up the agent's metrics of its probes. */
  private static Probes count(String metrics) {
    Predicate<String> probe = line -> line.startsWith("prober_probe_total{");
    Predicate<String> failed = line -> line.contains("result=\"failed\"");
    return new Probes(
        AgentProcess.sum(metrics, probe.and(failed)),
        AgentProcess.sum(metrics, line -> line.startsWith("probelet_probes_discarded_total{")),
        AgentProcess.sum(metrics, probe.and(failed.negate())));
  }
}
