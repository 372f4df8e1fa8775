package io.probelet.benchmarks;

import static io.probelet.benchmarks.Goal.atLeast;
import static io.probelet.benchmarks.Goal.atMost;
import static io.probelet.benchmarks.Goal.none;
import static io.probelet.benchmarks.SuitePart.run;
import static io.probelet.benchmarks.SuitePart.script;

import java.util.List;

/**
 * The table of {@code benchmarks/run all}: the parts in their order, with their goals. Add a line
 * for each new benchmark.
 */
final class SuiteParts {
  private static final String TURNS = " --windows 6 --seconds 12 --warm-up 10";

  /** Without a goal that depends on a narrow ratio. */
  private static final String SHORT_TURNS = " --windows 5 --seconds 10 --warm-up 10";

  /** The cost of a probe and its ratio to the last contender's. */
  private static final String COST = "(?m)^probelet +([\\d.]+)";

  private static final String RATIO = "(?m)^probelet .* (\\d+\\.\\d\\d \\(.*\\)|refused: .*)$";
  private static final String BLACKBOX_RATIO =
      "(?m)^probelet: (\\d+\\.\\d\\d \\(.*\\)|refused: .*) × blackbox_exporter$";
  private static final String BLACKBOX_COST = "(?m)^blackbox_exporter +([\\d.]+)";
  private static final String LAG = "start lag p50 [\\d.]+ ms, p99 ([\\d.]+) ms";

  static final List<SuitePart> ALL =
      List.of(
          run(
              160,
              "http" + TURNS,
              atMost(1.0, "HTTP probe, × haproxy's CPU time", RATIO),
              none("HTTP probe, CPU-µs", COST),
              none("HTTP probe of blackbox_exporter, CPU-µs", BLACKBOX_COST)),
          run(
              160,
              "tcp" + TURNS,
              atMost(1.15, "TCP probe, × haproxy's CPU time", RATIO),
              none("TCP probe, CPU-µs", COST),
              none("TCP probe of blackbox_exporter, CPU-µs", BLACKBOX_COST)),
          run(
              160,
              "https" + SHORT_TURNS,
              atMost(2.0, "HTTPS probe, × haproxy's CPU time", RATIO),
              atMost(1.0, "HTTPS probe, × blackbox_exporter's CPU time", BLACKBOX_RATIO),
              none("HTTPS probe, CPU-µs", COST),
              none("HTTPS probe of blackbox_exporter, CPU-µs", BLACKBOX_COST)),
          run(
              120,
              "grpc" + SHORT_TURNS,
              none("gRPC probe, × blackbox_exporter's CPU time", RATIO),
              none("gRPC probe, CPU-µs", COST),
              none("gRPC probe of blackbox_exporter, CPU-µs", BLACKBOX_COST)),
          script(
              300,
              "benchmarks/cri -Dtest=CriBenchmark#execs+relist",
              none("exec probe on containerd, CPU-µs of ours", "at once, (\\d+) µs of our CPU"),
              atMost(2, "relist of 500 containers, CPU-ms of ours", "pods: ([\\d.]+) ms of our")),
          run(
              150,
              "agent --warm-up 20 --seconds 15",
              atMost(
                  1.0,
                  "agent with 250 pods: first probe, s after start",
                  "first probe ([\\d.]+) s"),
              atMost(64, "agent with 250 pods: resident, MiB", "RSS ([\\d.]+) MiB"),
              none("the same: memory of its own, MiB", "anonymous ([\\d.]+)"),
              none("agent with 250 pods: % of a core", "([\\d.]+) % of a core")),
          run(
              60,
              "run --warm-up 15 --seconds 10",
              atMost(56, "run with 10 pods: resident, MiB", "RSS ([\\d.]+) MiB"),
              none("the same: memory of its own, MiB", "anonymous ([\\d.]+)"),
              none("the same: first probe, s after start", "first probe ([\\d.]+) s")),
          run(
              80,
              "idle --windows 5 --warm-up 12 --seconds 15",
              none("330 probes of 10 s: resident, MiB", "(?m)^probelet(?: +[\\d.]+){4} +([\\d.]+)"),
              none(
                  "330 probes of 10 s: % of a core",
                  "(?m)^probelet +[\\d.]+ +\\S+ +\\d+ +([\\d.]+)")),
          run(
              150,
              "monitor --warm-up 10 --seconds 12",
              atMost(3.33, "30 rules: CPU-µs per log line", "rules: ([\\d.]+) CPU-µs/line"),
              atMost(48, "node monitoring alone: resident, MiB", "built in.*RSS ([\\d.]+) MiB"),
              none("the same: memory of its own, MiB", "built in.*anonymous ([\\d.]+)"),
              atMost(
                  0.1, "node monitoring alone: % of a core", "built in.*: ([\\d.]+) % of a core,")),
          run(
              300,
              "remediation --nodes 15000 --checks 50,500 --warm-up 8 --seconds 8",
              atMost(100, "15,000 nodes: CPU-µs per node event", "some do ([\\d.]+)"),
              atMost(20, "15,000 nodes: event to creation p99, ms", "p99 ([\\d.]+) ms"),
              atMost(110, "15,000 nodes: resident, MiB", "RSS ([\\d.]+) MiB"),
              atMost(
                  3,
                  "15,000 nodes: first remediation, s after start",
                  "first remediation ([\\d.]+) s"),
              atMost(
                  2,
                  "500 NodeHealthChecks, × the cost of 50",
                  "500 NodeHealthChecks cost ([\\d.]+)")),
          run(
              330,
              "fleet --agents 200 --processes 1 --spread 20 --seconds 60",
              atMost(
                  3,
                  "200 agents: requests per agent and minute besides watches",
                  "idle: ([\\d.]+) requests"),
              none("the same: API server's CPU-ms per agent and minute", "([\\d.]+) CPU-ms of the"),
              atMost(
                  0,
                  "200 agents after a restart of the API server: requests it rejected",
                  "restart of the server: .* (\\d+) with code 429"),
              atLeast(
                  40,
                  "the same: s in which nine tenths of the watches return",
                  "nine tenths of the watches within ([\\d.]+)")),
          run(
              70,
              "scale --windows 5 --warm-up 15 --seconds 20",
              atMost(5, "8,000 probes of 1 s: start lag p99, ms", LAG),
              atLeast(
                  8000 * 0.99,
                  "8,000 probes of 1 s: probes/s",
                  "(?m)^probelet +[\\d.]+ +\\S+ +(\\d+)")),
          run(
              80,
              "scale --probes 20000 --period 10000 --windows 1 --warm-up 15 --seconds 20",
              atMost(5, "20,000 probes of 10 s: start lag p99, ms", LAG)),
          run(
              60,
              "scale --probes 1000 --period 100 --windows 2 --warm-up 8 --seconds 10",
              atMost(5, "1,000 probes of 100 ms: start lag p99, ms", LAG)),
          run(
              120,
              "restarts --restarts 5 --seconds 6",
              atMost(
                  0, "5 starts with 100 millicores: failed probes", "probes failed, (\\d+) in all"),
              none("the same: first probe, s after start (median)", "first probe ([\\d.]+) s")),
          run(
              120,
              "cluster --warm-up 20 --seconds 15",
              atMost(
                  30,
                  "5,000 watched objects: CPU-ms per round without changes",
                  ", watched: ([\\d.]+) CPU-ms")),
          run(
              150,
              "start",
              none("agent until ready: CPU s", "as shipped +([\\d.]+)"),
              none("agent until ready: s", "as shipped +[\\d.]+ +([\\d.]+)")),
          run(
              100,
              "tape",
              atMost(10, "a month of 1,500 nodes simulated: s", "1 candidates: +([\\d.]+) s"),
              atMost(512, "the same: resident, MiB", "1 candidates: .* ([\\d.]+) MiB")));

  private SuiteParts() {}
}
