package io.probelet.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.SystemClock;
import io.probelet.nodehealth.resource.WireNames;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Gatherers;
import org.jspecify.annotations.Nullable;

/**
 * The leading controller with many nodes and NodeHealthChecks, and 200 node events a second. Half
 * of them are heartbeats, half change a condition that no NodeHealthCheck lists. Then the same, but
 * two events a second make a node unhealthy and two make one healthy again. Nodes have realistic
 * sizes.
 */
final class Remediation {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int EVENTS_PER_SECOND = 200;
  private static final int IMAGES = 50;
  private static final int BAD_EVERY = 100;

  /** Half of what a policy remembers at most. */
  private static final int PAST_OF_A_POLICY = 500;

  private static final String INSTALLED_NAMESPACE = "probelet-system";

  /** As hard to compress as real ones. */
  private static final List<String> DIGESTS =
      new Random(1)
          .ints(IMAGES * 8L)
          .mapToObj(part -> "%08x".formatted(part))
          .gather(Gatherers.windowFixed(8))
          .map(parts -> String.join("", parts))
          .toList();

  /** The thread on which the leader makes all decisions. */
  private static final String PLANNING = "remediation";

  private final Instant longAgo =
      SystemClock.INSTANCE.wallTime().minus(Duration.ofMinutes(10)).truncatedTo(ChronoUnit.SECONDS);
  private final Path jvmOptions;
  private final List<String> program;
  private final int checks;
  private final int history;
  private final PrintStream out;
  private final Map<String, Long> bad = new ConcurrentHashMap<>();
  private final ConcurrentLinkedQueue<Double> latencies = new ConcurrentLinkedQueue<>();

  /**
   * Measures a program, called with the arguments of {@code probelet controller}; the process that
   * only receives events runs with these JVM options.
   *
   * @param history past remediations in the statuses of RemediationPolicies
   */
  Remediation(List<String> program, Path jvmOptions, int checks, int history, PrintStream out) {
    this.program = List.copyOf(program);
    this.history = history;
    this.jvmOptions = jvmOptions;
    this.checks = checks;
    this.out = out;
  }

  /** Prints the cost; returns the CPU-µs per event while some nodes fail. */
  double run(int nodes, int warmUp, int seconds) throws IOException {
    rehearse(nodes);
    try (PretendedApi api = secure(this::created)) {
      fillWithOneBad(api, nodes);
      long begun = SystemClock.INSTANCE.nanoTime();
      try (Daemon leader = process("controller", api, controller())) {
        awaitFirst(nodes);
        double ready = (SystemClock.INSTANCE.nanoTime() - begun) / 1e9;
        double readyCpu = leader.cpuMicros() / 1e6;
        put(api, nodes - 1, "True", 0);
        events(api, nodes, 0, warmUp, Story.SOME_FAIL);
        long cpu = leader.cpuMicros();
        double quiet = events(api, nodes, warmUp, seconds, Story.NONE_FAILS);
        double perQuietEvent = (leader.cpuMicros() - cpu) / quiet;
        latencies.clear();
        cpu = leader.cpuMicros();
        long planning = leader.cpuMicros(PLANNING);
        long requests = api.requests();
        double sent = events(api, nodes, warmUp + seconds, seconds, Story.SOME_FAIL);
        double perEvent = (leader.cpuMicros() - cpu) / sent;
        double ofPlanning = (leader.cpuMicros(PLANNING) - planning) / sent;
        double ofRequests = (api.requests() - requests) / (double) seconds;
        List<Double> sorted = new ArrayList<>(latencies);
        sorted.sort(null);
        out.printf(
            "%6d nodes, %d NodeHealthChecks, %d past remediations: first remediation %.1f s after the start (CPU %.1f s);"
                + " %.1f CPU-µs/event while none fails; while some do %.1f, of them %.1f for"
                + " planning, and %.0f requests/s; %s;"
                + " event to create p50 %.1f ms, p99 %.1f ms, max %.1f ms (%d of them)%n",
            nodes,
            checks,
            history,
            ready,
            readyCpu,
            perQuietEvent,
            perEvent,
            ofPlanning,
            ofRequests,
            leader.memory(),
            quantile(sorted, 0.5),
            quantile(sorted, 0.99),
            quantile(sorted, 1),
            sorted.size());
        return perEvent;
      }
    }
  }

  /**
   * An unmeasured start. Meanwhile the JVM compiles this process's server, like that of a real
   * cluster; otherwise the leader would wait for it.
   */
  private void rehearse(int nodes) throws IOException {
    try (PretendedApi api = secure(this::created)) {
      fillWithOneBad(api, nodes);
      try (Daemon _ = process("rehearsal", api, controller())) {
        awaitFirst(nodes);
      }
    }
  }

  /** The last one has no condition to ignore, so its remediation shows that all were seen. */
  private void fillWithOneBad(PretendedApi api, int nodes) throws IOException {
    bad.clear();
    fill(api, nodes);
    bad.put("node-" + (nodes - 1), SystemClock.INSTANCE.nanoTime());
    put(api, nodes - 1, "False", 0);
  }

  /** The cost of receiving and discarding the same events. */
  void receive(int nodes, int warmUp, int seconds) throws IOException {
    List<String> command =
        ProbeletContender.command(jvmOptions, NodeEventsProcess.class, List.of());
    try (PretendedApi api = secure((_, _, _) -> {})) {
      fill(api, nodes);
      try (Daemon receiver = process("receiver", api, command)) {
        events(api, nodes, 0, warmUp, Story.SOME_FAIL);
        long cpu = receiver.cpuMicros();
        double sent = events(api, nodes, warmUp, seconds, Story.SOME_FAIL);
        out.printf("receiving alone: %.1f CPU-µs/event%n", (receiver.cpuMicros() - cpu) / sent);
      }
    }
  }

  /** An event for a node, and the wait for its remediation. */
  @FunctionalInterface
  interface Failure {
    /** Makes a node fail, and waits for its remediation. */
    void run() throws IOException;
  }

  /** Receives the failure of a node. */
  @FunctionalInterface
  interface FailureUser {
    /** Triggers it once. */
    void use(Failure failure) throws IOException;
  }

  /** Runs a leading controller, and passes the trigger for node failures. */
  void whileOneFails(int nodes, FailureUser user) throws IOException {
    try (PretendedApi api = secure(this::created)) {
      fillWithOneBad(api, nodes);
      try (Daemon _ = process("controller", api, controller())) {
        awaitFirst(nodes);
        user.use(() -> {
          bad.put("node-0", SystemClock.INSTANCE.nanoTime());
          put(api, 0, "False", 0);
          Waiting.until("the remediation", () -> bad.isEmpty());
        });
      }
    }
  }

  /** All parts of the controller, as installed. */
  private List<String> controller() {
    List<String> command = new ArrayList<>(program);
    command.addAll(
        List.of("controller", "--listen=127.0.0.1:0", "--namespace=" + INSTALLED_NAMESPACE));
    return command;
  }

  /** Starts a controller that finds the API server like a pod. */
  private static Daemon process(String name, PretendedApi api, List<String> arguments)
      throws IOException {
    Path directory = TemporaryFolder.create();
    List<String> command = new ArrayList<>(Daemon.writingTo(directory.resolve(name + ".out")));
    command.addAll(api.asInPod(directory));
    command.addAll(arguments);
    return Daemon.startIn(MemoryGroup.create(), directory, name, command);
  }

  private static PretendedApi secure(PretendedApi.Created created) throws IOException {
    try {
      return PretendedApi.secure(created, TlsServer.valid(TemporaryFolder.create()));
    } catch (GeneralSecurityException impossible) {
      throw new IOException(impossible);
    }
  }

  private void created(String collection, String name, JsonNode object) {
    if (collection.equals("benchremediations")) {
      Long since = bad.remove(name);
      if (since != null) {
        latencies.add((SystemClock.INSTANCE.nanoTime() - since) / 1e6);
      }
    }
  }

  /** Waits for the remediation of the node that was unhealthy before the leader started. */
  private void awaitFirst(int nodes) {
    while (bad.containsKey("node-" + (nodes - 1))) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
    }
  }

  private enum Story {
    NONE_FAILS,
    /** Every hundredth event makes a node unhealthy, and another one healthy again. */
    SOME_FAIL
  }

  /** Sends events at their times. */
  private long events(PretendedApi api, int nodes, int from, int seconds, Story story)
      throws IOException {
    long start = SystemClock.INSTANCE.nanoTime();
    long gap = TimeUnit.SECONDS.toNanos(1) / EVENTS_PER_SECOND;
    long count = (long) seconds * EVENTS_PER_SECOND;
    long first = (long) from * EVENTS_PER_SECOND;
    for (long i = 0; i < count; i++) {
      long wait = start + i * gap - SystemClock.INSTANCE.nanoTime();
      if (wait > 0) {
        LockSupport.parkNanos(wait);
      }
      long event = first + i;
      if (story == Story.SOME_FAIL && event % BAD_EVERY == 0) {
        int chosen = Math.floorMod((int) (event / BAD_EVERY) * 7, nodes);
        bad.put("node-" + chosen, SystemClock.INSTANCE.nanoTime());
        put(api, chosen, "False", event);
      } else if (story == Story.SOME_FAIL
          && event % BAD_EVERY == BAD_EVERY / 2
          && event >= 5L * BAD_EVERY) {
        put(api, Math.floorMod((int) (event / BAD_EVERY - 5) * 7, nodes), "True", event);
      } else {
        // 101 has no common factor with the 7 of unhealthy nodes; an unhealthy node stays
        // unhealthy.
        int other = Math.floorMod((int) event * 101 + 3, nodes);
        if (!bad.containsKey("node-" + other)) {
          put(api, other, null, event);
        }
      }
    }
    return count;
  }

  private final Map<Integer, String> ready = new ConcurrentHashMap<>();

  private void put(PretendedApi api, int node, @Nullable String status, long event)
      throws IOException {
    if (status != null) {
      ready.put(node, status);
    }
    api.put("nodes", "node-" + node, node(node, ready.getOrDefault(node, "True"), event));
  }

  private void fill(PretendedApi api, int nodes) throws IOException {
    ready.clear();
    for (int i = 0; i < nodes; i++) {
      api.put("nodes", "node-" + i, node(i, "True", 0));
    }
    fillPolicies(api);
    ObjectNode template = object("bench.example/v1", "BenchRemediationTemplate");
    template.withObject("/metadata").put("namespace", "remedies");
    template.putObject("spec").putObject("template").putObject("spec").put("a", "b");
    api.put("benchremediationtemplates", "reboot", template);
    for (int i = 0; i < checks; i++) {
      ObjectNode check = object("remediation.medik8s.io/v1alpha1", "NodeHealthCheck");
      // The measured time is from an event to the creation, without the settle time.
      check.withObject("/metadata/annotations").put(WireNames.SETTLE, "0s");
      ObjectNode spec = check.putObject("spec");
      spec.putObject("selector").putObject("matchLabels").put("pool", "pool-" + i);
      spec.put("minHealthy", 0);
      spec.putObject("remediationTemplate")
          .put("apiVersion", "bench.example/v1")
          .put("kind", "BenchRemediationTemplate")
          .put("namespace", "remedies")
          .put("name", "reboot");
      api.put("nodehealthchecks", "check-" + i, check);
    }
  }

  /** Each selects the nodes of one NodeHealthCheck; those beyond select none. */
  private void fillPolicies(PretendedApi api) throws IOException {
    for (int i = 0; i * PAST_OF_A_POLICY < history; i++) {
      ObjectNode policy = object("probelet.io/v1alpha1", "RemediationPolicy");
      ObjectNode spec = policy.putObject("spec");
      spec.putObject("selector").putObject("matchLabels").put("pool", "pool-" + i);
      spec.putObject("backstop").put("times", 100).put("within", "720h");
      ObjectNode recent = policy.putObject("status").putObject("recent");
      for (int past = 0;
          past < Math.min(PAST_OF_A_POLICY, history - i * PAST_OF_A_POLICY);
          past++) {
        Instant time = longAgo.minusSeconds(3600L + past * 60L);
        recent.put(time + " former-node-" + past, "BenchRemediation");
      }
      api.put(PretendedApi.POLICIES, "policy-" + i, policy);
    }
  }

  private static ObjectNode object(String apiVersion, String kind) {
    return JSON.createObjectNode().put("apiVersion", apiVersion).put("kind", kind);
  }

  private ObjectNode node(int number, String ready, long event) {
    ObjectNode node = object("v1", "Node");
    // In the order of an API server.
    ObjectNode labels =
        node.withObject("/metadata").put("name", "node-" + number).putObject("labels");
    labels.put("pool", "pool-" + number % checks).put("kubernetes.io/hostname", "node-" + number);
    for (int i = 0; i < 15; i++) {
      labels.put("example.io/label-number-" + i, "value-" + number % 10);
    }
    ObjectNode status = node.putObject("status");
    ArrayNode conditions = status.putArray("conditions");
    Instant now = SystemClock.INSTANCE.wallTime().truncatedTo(ChronoUnit.SECONDS);
    for (String type : List.of("Ready", "MemoryPressure", "DiskPressure", "PIDPressure")) {
      boolean changes = type.equals("MemoryPressure") && event % 2 == 1;
      conditions
          .addObject()
          .put("type", type)
          .put("status", type.equals("Ready") ? ready : changes ? "True" : "False")
          .put("lastHeartbeatTime", now.toString())
          .put("lastTransitionTime", (changes ? now : longAgo).toString())
          .put("reason", "BecauseItIsSo")
          .put("message", "kubelet has something to say about this condition, at some length");
    }
    ArrayNode images = status.putArray("images");
    for (int i = 0; i < IMAGES; i++) {
      images
          .addObject()
          .put("sizeBytes", 100_000_000 + i)
          .putArray("names")
          .add("registry.example.io/some/where/image-" + i + "@sha256:" + DIGESTS.get(i));
    }
    return node;
  }

  private static double quantile(List<Double> sorted, double part) {
    return sorted.isEmpty()
        ? Double.NaN
        : sorted.get((int) Math.min(sorted.size() - 1L, Math.round(part * sorted.size())));
  }
}
