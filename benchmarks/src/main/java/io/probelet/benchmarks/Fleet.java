package io.probelet.benchmarks;

import io.probelet.health.SystemClock;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The load of a fleet of agents on one API server: at their start, while nothing happens, per
 * changed pod, when many pods and when all nodes fail at once, and after a restart of the server.
 */
final class Fleet {
  private static final int SETTLE_SECONDS = 15;
  private static final int CHANGES = 300;
  private static final int BASELINE_SECONDS = 10;
  private static final int START_TIMEOUT = 600;
  private static final int RECOVERY_TIMEOUT = 300;

  private final Size size;
  private final PrintStream out;

  /**
   * How much there is.
   *
   * @param pods of each agent; one of them has a readiness probe and the readiness gate
   * @param processes among which the agents are divided
   * @param spread seconds over which they start
   * @param down seconds without the server
   */
  record Size(int agents, int pods, int processes, int spread, int down) {}

  /** The counters at the beginning of a part. */
  private record Mark(int seen, double cpu, double bytes, long nanos) {}

  Fleet(Size size, PrintStream out) {
    this.size = size;
    this.out = out;
  }

  /** Runs all parts, and prints a line or two of each. */
  void run(int seconds) throws IOException, GeneralSecurityException {
    Path directory = TemporaryFolder.create();
    try (FleetTarget target = FleetTarget.open();
        FleetServer server = server(directory, target.port())) {
      out.printf(
          "%d agents in %d processes, %d pods each, %s, load %s%n",
          size.agents, size.processes, size.pods, server.name(), RunFacts.load());
      double alone = cpuWhileIdle(server);
      double _ = cpuPerChange(server); // the first ones cost more
      double changeAlone = cpuPerChange(server);
      List<Daemon> processes = new ArrayList<>();
      try {
        start(server, processes, directory);
        Waiting.forSeconds(SETTLE_SECONDS);
        idle(server, seconds, alone);
        out.printf(
            "a changed pod: %.2f CPU-ms of the server with its agent, %.2f without agents%n",
            cpuPerChange(server), changeAlone);
        podsFail(server, target);
        nodesFail(server, processes);
        restart(server);
      } finally {
        processes.forEach(Daemon::close);
      }
    }
  }

  private FleetServer server(Path directory, int port)
      throws IOException, GeneralSecurityException {
    @Nullable String assets = System.getenv("KUBEBUILDER_ASSETS");
    if (assets == null || assets.isEmpty()) {
      PretendedFleetServer pretended = new PretendedFleetServer(directory);
      pretended.fill(size.agents, size.pods, port);
      return pretended;
    }
    RealApiServer server = new RealApiServer(Path.of(assets), directory);
    try {
      server.fill(size.agents, size.pods, port);
      server.start();
      return server;
    } catch (IOException | RuntimeException failed) {
      server.close();
      throw failed;
    }
  }

  private static double cpuWhileIdle(FleetServer server) {
    Waiting.forSeconds(SETTLE_SECONDS); // it has just started
    double before = server.cpuMillis();
    Waiting.forSeconds(BASELINE_SECONDS);
    return (server.cpuMillis() - before) / BASELINE_SECONDS;
  }

  private double cpuPerChange(FleetServer server) throws IOException {
    double before = server.cpuMillis();
    for (int i = 0; i < CHANGES; i++) {
      int node = i % size.agents;
      server.change(FleetObjects.pod(node, size.pods - 1), (int) before + i);
    }
    return (server.cpuMillis() - before) / CHANGES;
  }

  private void start(FleetServer server, List<Daemon> processes, Path directory)
      throws IOException {
    Mark mark = mark(server);
    for (int i = 0; i < size.processes; i++) {
      int first = (int) ((long) size.agents * i / size.processes);
      int next = (int) ((long) size.agents * (i + 1) / size.processes);
      processes.add(
          Daemon.start(
              directory,
              "fleet-" + i,
              command(server.kubeconfig(), first, next - first, size.spread, directory)));
    }
    processes.forEach(each -> each.expect(AgentsProcess.STARTED));
    Waiting.untilWithin(
        START_TIMEOUT, "all agents watch their pods", () -> server.watches() >= size.agents);
    report("start", server, mark);
    long threads = processes.stream().mapToLong(Daemon::threads).sum();
    long rss = processes.stream().mapToLong(Daemon::rssKiB).sum();
    out.printf(
        "the agents' processes: %d threads, RSS %.0f MiB; %s%n",
        threads, rss / 1024.0, server.memory());
  }

  private static List<String> command(
      Path kubeconfig, int first, int count, int spread, Path states) {
    return List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:+UseSerialGC",
        "-Xmx2g",
        "-Xss512k",
        "-cp",
        System.getProperty("java.class.path"),
        AgentsProcess.class.getName(),
        kubeconfig.toString(),
        Integer.toString(first),
        Integer.toString(count),
        Integer.toString(spread),
        states.toString());
  }

  private void idle(FleetServer server, int seconds, double alone) throws IOException {
    Mark mark = mark(server);
    Waiting.forSeconds(seconds);
    FleetTraffic traffic = since(server, mark);
    double minutes = (SystemClock.INSTANCE.nanoTime() - mark.nanos) / 60e9;
    double agentMinutes = size.agents * minutes;
    out.printf(
        "idle: %.2f requests per agent and minute besides watches, %.2f watches begun, %.1f KiB,"
            + " %.2f CPU-ms of the server (it uses %.1f CPU-ms/s without agents)%n",
        traffic.withoutWatches() / agentMinutes,
        (traffic.requests().size() - traffic.withoutWatches()) / agentMinutes,
        (server.bytes() - mark.bytes) / 1024 / agentMinutes,
        (server.cpuMillis() - mark.cpu - alone * minutes * 60) / agentMinutes,
        alone);
    out.printf(
        "  open: %.2f watches per agent; %s%n",
        server.watches() / (double) size.agents, traffic.kinds());
  }

  private void podsFail(FleetServer server, FleetTarget target) throws IOException {
    Mark mark = mark(server);
    target.refuse();
    awaitPatches(server, mark, "pods/status");
    report("a pod of each node fails", server, mark);
    Mark healed = mark(server);
    target.accept();
    awaitPatches(server, healed, "pods/status");
    report("and is ready again", server, healed);
  }

  private void nodesFail(FleetServer server, List<Daemon> processes) throws IOException {
    Mark mark = mark(server);
    processes.forEach(each -> each.say(AgentsProcess.FAIL));
    awaitPatches(server, mark, "nodes/status");
    report("all nodes fail at once", server, mark);
  }

  private void awaitPatches(FleetServer server, Mark mark, String resource) {
    Waiting.untilWithin(
        RECOVERY_TIMEOUT,
        "all agents have written " + resource,
        () -> since(server, mark).of("patch", resource).requests().size() >= size.agents);
    Waiting.forSeconds(2); // and what follows at once, such as events
  }

  private void restart(FleetServer server) throws IOException {
    server.stop();
    Waiting.forSeconds(size.down);
    Mark mark = mark(server);
    long from = SystemClock.INSTANCE.nanoTime();
    server.start();
    double ready = (SystemClock.INSTANCE.nanoTime() - from) / 1e9;
    Waiting.untilWithin(
        RECOVERY_TIMEOUT,
        "all agents watch their pods again",
        () -> server.watches() >= size.agents);
    double watching = (SystemClock.INSTANCE.nanoTime() - from) / 1e9;
    report("restart of the server", server, mark);
    out.printf(
        "  ready %.1f s after its start, all pods watched again %.1f s after, nine tenths of the"
            + " watches within %.1f s%n",
        ready, watching, since(server, mark).of("watch", "pods").spreadSeconds());
  }

  private Mark mark(FleetServer server) throws IOException {
    return new Mark(
        server.seen().size(), server.cpuMillis(), server.bytes(), SystemClock.INSTANCE.nanoTime());
  }

  private static FleetTraffic since(FleetServer server, Mark mark) throws IOException {
    List<FleetServer.Seen> all = server.seen();
    return new FleetTraffic(all.subList(mark.seen, all.size()));
  }

  private void report(String part, FleetServer server, Mark mark) throws IOException {
    FleetTraffic traffic = since(server, mark);
    out.printf(
        "%s: %.1f requests per agent, at most %d/s, nine tenths within %.1f s, %d with code 429;"
            + " %.1f CPU-ms of the server per agent%n",
        part,
        traffic.requests().size() / (double) size.agents,
        traffic.peak(),
        traffic.spreadSeconds(),
        traffic.rejected(),
        (server.cpuMillis() - mark.cpu) / size.agents);
    out.printf("  %s%n", traffic.kinds());
  }
}
