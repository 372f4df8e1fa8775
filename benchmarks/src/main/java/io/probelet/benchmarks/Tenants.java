package io.probelet.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.SystemClock;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * {@code probelet agent} on a node where one tenant runs all known attacks at once, beside 50
 * honest pods: are those probed and reported as usual?
 */
final class Tenants {
  private static final int HONEST = 50;
  private static final int COPIES = 4;
  private static final int SLOW_CLIENTS = 100;

  /** An honest pod is probed every second; a later probe counts as late. */
  private static final int LATE_MILLIS = 2_000;

  /** Number of honest pods that fail in each round, in turn, with a different status each time. */
  private static final int FAILING = 5;

  private static final int ROUND_SECONDS = 60;
  private static final long CHURN_NANOS = 100_000_000L;
  private static final int FAILING_SECONDS = 3;

  /** Events are sent at once; a minute is more than any budget of an honest pod needs. */
  private static final int EVENT_SECONDS = 60;

  /** What an honest pod's own probes and annotation cause. */
  private static final Set<String> OWN_EVENTS = Set.of("Unhealthy", "ReadinessGateMissing");

  private static final int DIAGNOSES = 3;
  private static final long MAX_LIVEZ_NANOS = 1_000_000_000L;

  /** What deploy/daemonset.yaml allows an agent and the commands in its container together. */
  static final int LIMIT_MIB = 192;

  /** {@code diagnose} beside the attacked agent, in the same memory. */
  private static final double MAX_DIAGNOSE_SECONDS = 5;

  private final List<String> program;
  private final int limit;
  private final PrintStream out;
  private final Map<String, Long> eventsDue = new ConcurrentHashMap<>();
  private final AtomicLong eventsSeen = new AtomicLong();
  private final AtomicLong slowestEvent = new AtomicLong();
  private final Set<String> evicted = ConcurrentHashMap.newKeySet();
  private final AtomicLong leaks = new AtomicLong();
  private final Set<String> foreign = ConcurrentHashMap.newKeySet();
  private final List<String> victims = new ArrayList<>();
  private long polls;
  private long silent;
  private long slowest;
  private int events;
  private volatile boolean ended;
  private int rounds;

  /**
   * Measures a program, called with the arguments of {@code probelet agent}.
   *
   * @param limit memory that it and {@code diagnose} may take together, in MiB
   */
  Tenants(List<String> program, int limit, PrintStream out) {
    this.program = List.copyOf(program);
    this.limit = limit;
    this.out = out;
  }

  /**
   * Runs all attacks at once and prints their effect on honest pods.
   *
   * @return whether all goals were reached
   */
  boolean run(int warmUp, int seconds) throws IOException, GeneralSecurityException {
    Quiet.logs();
    Path directory = TemporaryFolder.create();
    Path pipe = directory.resolve("pipe");
    new ProcessBuilder("mkfifo", pipe.toString()).start().onExit().join();
    try (PretendedApi api = new PretendedApi(this::created);
        HonestTarget honest = new HonestTarget(LATE_MILLIS);
        HostileTarget bad = new HostileTarget(directory)) {
      for (int i = 0; i < HONEST; i++) {
        JsonNode pod = api.put("pods", pod(i), honest(i, honest.port()));
        victims.add(pod.at("/metadata/uid").asText());
      }
      NodeAttacks.pods(api);
      MemoryGroup memory = MemoryGroup.create();
      try (AgentProcess agent = agent(memory, directory, api);
          SlowClients slow = SlowClients.ofHeads(agent.port(), SLOW_CLIENTS)) {
        Waiting.until("all honest pods are probed", () -> honest.paths() == HONEST);
        Waiting.forSeconds(warmUp);
        honest.count();
        TenantAttacks attacks =
            new TenantAttacks(bad.ports(), AgentProcess.freePort(), agent.port(), pipe.toString());
        attack(api, attacks);
        Thread.ofVirtual().start(() -> churn(api));
        try (NodeAttacks onNode = new NodeAttacks(directory, agent, victims.getFirst())) {
          return watch(seconds, agent, memory, honest, slow, onNode, directory);
        }
      }
    }
  }

  private AgentProcess agent(MemoryGroup memory, Path directory, PretendedApi api)
      throws IOException {
    Path configuration = directory.resolve("agent.yaml");
    Files.writeString(
        configuration,
        """
        probes:
          sources: [annotation]
        enforcement:
          mode: enforce
          namespaces: {tenant: observe}
        nodeMonitor:
          monitors: [default]
        """);
    if (memory.counts()) {
      memory.limit(limit);
    }
    return AgentProcess.start(
        memory, directory, program, api, state(directory), List.of("--config=" + configuration));
  }

  private static List<String> state(Path directory) {
    return List.of("XDG_STATE_HOME=" + directory.resolve("state"));
  }

  /** {@return seconds that {@code diagnose} takes in the agent's memory; none if it fails} */
  private OptionalDouble diagnose(MemoryGroup memory, Path directory) throws IOException {
    List<String> command = new ArrayList<>(List.of("env"));
    command.addAll(state(directory));
    command.addAll(program);
    command.addAll(
        List.of(
            "diagnose",
            "--config=" + directory.resolve("agent.yaml"),
            "--archive=" + directory.resolve("bundle.tar.gz")));
    long began = SystemClock.INSTANCE.nanoTime();
    Process diagnose =
        new ProcessBuilder(memory.around(command))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("diagnose.out").toFile())
            .start();
    return diagnose.onExit().join().exitValue() == 0
        ? OptionalDouble.of(since(began))
        : OptionalDouble.empty();
  }

  private void attack(PretendedApi api, TenantAttacks attacks) throws IOException {
    for (int copy = 0; copy < COPIES; copy++) {
      for (var attack : attacks.annotations(victims.get(copy)).entrySet()) {
        String name = "attack-" + attack.getKey() + "-" + copy;
        api.put("pods", name, PretendedPod.of("tenant", name, attack.getValue()));
      }
    }
  }

  private boolean watch(
      int seconds,
      AgentProcess agent,
      MemoryGroup memory,
      HonestTarget honest,
      SlowClients slow,
      NodeAttacks onNode,
      Path directory)
      throws IOException {
    long began = SystemClock.INSTANCE.nanoTime();
    for (int second = 0; second < seconds; second = (int) since(began)) {
      slow.drip();
      onNode.goOn();
      fail(honest, second, seconds);
      livez(agent);
      Waiting.until(began + (second + 1) * 1_000_000_000L);
    }
    honest.countMissing();
    ended = true;
    for (int i = 0; i < EVENT_SECONDS && !eventsDue.isEmpty(); i++) {
      Waiting.forSeconds(1);
    }
    String steady = agent.daemon().memory();
    double[] diagnosed = new double[DIAGNOSES];
    for (int i = 0; i < DIAGNOSES; i++) {
      diagnosed[i] = diagnose(memory, directory).orElse(Double.POSITIVE_INFINITY);
    }
    out.printf("within %d MiB: %s; afterwards %s%n", limit, steady, memory.memory());
    String log = Files.readString(AgentProcess.log(directory), StandardCharsets.UTF_8);
    if (log.contains(TenantAttacks.SECRET)) {
      leaks.incrementAndGet();
    }
    return report(honest, memory, diagnosed, log.lines().count(), onNode);
  }

  private static double since(long nanos) {
    return (SystemClock.INSTANCE.nanoTime() - nanos) / 1e9;
  }

  private boolean report(
      HonestTarget honest,
      MemoryGroup memory,
      double[] diagnosed,
      long logLines,
      NodeAttacks onNode)
      throws IOException {
    Set<String> forged = onNode.conditions();
    long honestEvicted = evicted.stream().filter(name -> name.startsWith("honest")).count();
    boolean[] goals = {
      honest.late() == 0,
      eventsDue.isEmpty(),
      evicted.isEmpty(),
      silent == 0 && slowest <= MAX_LIVEZ_NANOS,
      !memory.counts() || memory.killed() == 0,
      Arrays.stream(diagnosed).max().orElseThrow() <= MAX_DIAGNOSE_SECONDS,
      leaks.get() == 0,
      forged.isEmpty(),
      foreign.isEmpty()
    };
    String[] lines = {
      "honest probes: %d, late or discarded %d, longest gap %.2f s (probed each second, goal <= %.0f s)"
          .formatted(
              honest.requests(), honest.late(), honest.longestGapSeconds(), LATE_MILLIS / 1e3),
      "events of honest pods: %d of %d written, lost %d, slowest %.1f s"
          .formatted(eventsSeen.get(), events, eventsDue.size(), slowestEvent.get() / 1e9),
      "evicted: %d pods, of them honest %d (goal none: the tenant's namespace is only observed)"
          .formatted(evicted.size(), honestEvicted),
      "/livez: asked %d times, not answered %d, slowest %.0f ms (goal <= 1000)"
          .formatted(polls, silent, slowest / 1e6),
      "processes ended for lack of memory: %s (goal none)"
          .formatted(memory.counts() ? memory.killed() : "unknown without control groups"),
      "diagnose beside the agent: %s s (goal <= %.0f)"
          .formatted(Arrays.toString(diagnosed), MAX_DIAGNOSE_SECONDS),
      "secrets seen in events or log: %d; log lines: %d".formatted(leaks.get(), logLines),
      "node conditions after %d forged lines: %s (goal none)".formatted(onNode.lines(), forged),
      "events about honest pods besides their own probes: %s (goal none)".formatted(foreign)
    };
    boolean all = true;
    for (int i = 0; i < goals.length; i++) {
      out.println((goals[i] ? "reached  " : "MISSED   ") + lines[i]);
      all &= goals[i];
    }
    return all;
  }

  /** The author changes one pod's annotation ten times a second. */
  private void churn(PretendedApi api) {
    for (int i = 0; !ended; i++) {
      try {
        Map<String, String> annotation = Map.of("probelet.io/probes", TenantAttacks.churn(i));
        api.put("pods", "attack-churn", PretendedPod.of("tenant", "attack-churn", annotation));
      } catch (IOException closed) {
        return; // the attacked agent has ended, which the rest of the report shows
      }
      Waiting.until(SystemClock.INSTANCE.nanoTime() + CHURN_NANOS);
    }
  }

  private void fail(HonestTarget honest, int second, int seconds) {
    int round = second / ROUND_SECONDS;
    boolean fails = second % ROUND_SECONDS < FAILING_SECONDS;
    if (fails && round == rounds && second + FAILING_SECONDS < seconds) {
      rounds++;
      for (int pod : failing(round)) {
        eventsDue.put(pod(pod) + " " + status(round), SystemClock.INSTANCE.nanoTime());
        events++;
        honest.answer(path(pod), status(round));
      }
    } else if (!fails) {
      failing(round).forEach(pod -> honest.recover(path(pod)));
    }
  }

  private static List<Integer> failing(int round) {
    return IntStream.range(0, FAILING).mapToObj(i -> (round * FAILING + i) % HONEST).toList();
  }

  private static int status(int round) {
    return 500 + round % 90;
  }

  private void created(String collection, String name, JsonNode object) {
    if (collection.equals("pods/eviction")) {
      evicted.add(name);
    } else if (collection.equals("events")) {
      String message = object.path("message").asText();
      if (message.contains(TenantAttacks.SECRET)) {
        leaks.incrementAndGet();
      }
      String pod = object.at("/involvedObject/name").asText();
      String reason = object.path("reason").asText();
      if (pod.startsWith("honest") && !OWN_EVENTS.contains(reason)) {
        foreign.add(pod + " " + reason);
      }
      String status = message.substring(Math.max(0, message.length() - 3));
      Long since = eventsDue.remove(pod + " " + status);
      if (since != null) {
        eventsSeen.incrementAndGet();
        slowestEvent.accumulateAndGet(SystemClock.INSTANCE.nanoTime() - since, Math::max);
      }
    }
  }

  /** The kubelet reconnects each time, with a default timeout of one second. */
  private void livez(AgentProcess agent) {
    polls++;
    long from = SystemClock.INSTANCE.nanoTime();
    if (!agent.isOk("/livez")) {
      silent++;
    }
    slowest = Math.max(slowest, SystemClock.INSTANCE.nanoTime() - from);
  }

  private static String pod(int number) {
    return "honest-" + number;
  }

  private static String path(int pod) {
    return "/" + pod(pod);
  }

  private static ObjectNode honest(int number, int port) {
    String probes =
        "web: {readiness: {httpGet: {path: %s, port: %d}, period: 1s, failureThreshold: 1}}"
            .formatted(path(number), port);
    return PretendedPod.of(
        "shop-" + number % 10, pod(number), Map.of("probelet.io/probes", probes));
  }
}
