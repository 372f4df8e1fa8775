package io.probelet.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.SystemClock;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/**
 * {@code probelet agent} on a full node: pods of realistic size, each with three HTTP probes and
 * the usual period of 10 s; without pods, its idle cost. There is only an API server; {@code
 * benchmarks/cri} measures the container runtime's part.
 */
final class ClusterNode {
  private static final ObjectMapper JSON = new ObjectMapper();
  static final int PODS = 250;
  private static final int FIRST_PORT = 18100;
  private static final int PORTS = 16;
  private static final int OTHER_VARIABLES = 20;
  private static final int MANAGED_FIELDS = 60;
  private static final String[] PROBES = {"livenessProbe", "readinessProbe"};

  private final List<String> program;
  private final int pods;
  private final String monitors;
  private final PrintStream out;

  /**
   * Measures a program, called with the arguments of {@code probelet agent}.
   *
   * @param monitors what it watches the node with, as {@code --monitor} takes it
   */
  ClusterNode(List<String> program, int pods, String monitors, PrintStream out) {
    this.program = List.copyOf(program);
    this.pods = pods;
    this.monitors = monitors;
    this.out = out;
  }

  void run(int warmUp, int seconds) throws IOException {
    Path directory = TemporaryFolder.create();
    try (PretendedApi api = new PretendedApi((_, _, _) -> {});
        HaproxyTarget target = HaproxyTarget.start(directory, ports())) {
      pods(api, pods);
      long before = target.sessions();
      try (AgentProcess agent =
          AgentProcess.start(
              MemoryGroup.create(),
              directory,
              program,
              api,
              List.of("XDG_STATE_HOME=" + directory),
              List.of("--monitor=" + monitors))) {
        Waiting.until(
            pods > 0 ? "the first probe" : "the agent is ready",
            () -> pods > 0 ? target.sessions() > before : agent.isOk("/readyz"));
        double first = agent.seconds();
        double ready = first(agent, target, before);
        Waiting.forSeconds(warmUp);
        measure(agent.daemon(), api, target, first, ready, seconds);
      }
    }
  }

  static List<Integer> ports() {
    return Load.ports(FIRST_PORT, PORTS);
  }

  /** Adds the pods to an API server; their containers listen on {@link #ports}. */
  static void pods(PretendedApi api, int pods) throws IOException {
    List<Integer> ports = ports();
    for (int i = 0; i < pods; i++) {
      api.put("pods", "pod-" + i, pod(i, ports));
    }
  }

  /** Until each probe has run once. */
  private double first(AgentProcess agent, HaproxyTarget target, long before) {
    Waiting.until("every first probe", () -> target.sessions() - before >= pods * 3L);
    out.printf("after the start: %.2f s of CPU time%n", agent.daemon().cpuMicros() / 1e6);
    return agent.seconds();
  }

  private void measure(
      Daemon agent, PretendedApi api, HaproxyTarget target, double first, double all, int seconds)
      throws IOException {
    long from = SystemClock.INSTANCE.nanoTime();
    long cpu = agent.cpuMicros();
    long scheduled = agent.scheduledMicros();
    long requests = api.requests();
    long probes = target.sessions();
    Waiting.forSeconds(seconds);
    double window = (SystemClock.INSTANCE.nanoTime() - from) / 1e9;
    out.printf(
        "%d pods, %d probes: first probe %.2f s and all of them %.1f s after the start; %s,"
            + " %.2f %% of a core (%.3f %% by the scheduler), %.1f probes/s, %.2f API requests per 10 s; load %s%n",
        pods,
        3 * pods,
        first,
        all,
        agent.memory(),
        (agent.cpuMicros() - cpu) / 1e4 / window,
        (agent.scheduledMicros() - scheduled) / 1e4 / window,
        (target.sessions() - probes) / window,
        10 * (api.requests() - requests) / window,
        RunFacts.load());
  }

  private static ObjectNode pod(int number, List<Integer> ports) {
    ObjectNode pod = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Pod");
    ObjectNode metadata = pod.withObject("/metadata");
    metadata.put("namespace", "shop-" + number % 10);
    ArrayNode managed = metadata.putArray("managedFields");
    for (String manager : List.of("kube-controller-manager", "kubelet")) {
      ObjectNode fields = managed.addObject().put("manager", manager).putObject("fieldsV1");
      for (int i = 0; i < MANAGED_FIELDS; i++) {
        fields.putObject("f:someFieldOfThisPod" + i).putObject("f:with").putObject("f:others");
      }
    }
    for (int i = 0; i < 10; i++) {
      metadata.withObject("/labels").put("example.io/label-" + i, "value-" + number % 7);
    }
    ObjectNode spec =
        pod.withObject("/spec").put("nodeName", "here").put("restartPolicy", "Always");
    ArrayNode containers = spec.putArray("containers");
    container(containers.addObject().put("name", "web"), number, ports, 2);
    container(containers.addObject().put("name", "beside"), number, ports, 1);
    status(pod.withObject("/status"), number);
    return pod;
  }

  private static void container(ObjectNode container, int number, List<Integer> ports, int probes) {
    container.put("image", "registry.example.io/shop/web@sha256:" + "0123456789abcdef".repeat(4));
    int port = ports.get(number % ports.size());
    container.putArray("ports").addObject().put("name", "http").put("containerPort", port);
    for (int i = 0; i < OTHER_VARIABLES; i++) {
      container
          .withArray("/env")
          .addObject()
          .put("name", "SOME_VARIABLE_" + i)
          .put("value", "https://service-" + i + ".shop.svc.cluster.local:8443/some/path");
    }
    for (int i = 0; i < probes; i++) {
      container
          .putObject(PROBES[i])
          .put("periodSeconds", 10)
          .put("timeoutSeconds", 1)
          .putObject("httpGet")
          .put("path", "/healthz")
          .put("port", "http");
    }
  }

  private static void status(ObjectNode status, int number) {
    status.put("phase", "Running").put("podIP", "127.0.0.1");
    status.putArray("podIPs").addObject().put("ip", "127.0.0.1");
    status.putArray("conditions").addObject().put("type", "Ready").put("status", "True");
    for (String name : List.of("web", "beside")) {
      PretendedPod.running(
          status.withArray("/containerStatuses").addObject(), name, "pod-" + number);
    }
  }
}
