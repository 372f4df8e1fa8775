package io.probelet.fleet;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.NodeView;
import io.probelet.web.api.ViewJson;
import java.io.IOException;
import java.time.Instant;
import java.util.List;

/**
 * What the agents of the demo's nodes answer, as JSON: it is read as a real agent's answer is. Some
 * containers are not well, and one fails and recovers every two minutes.
 */
final class DemoAgents {
  private static final int CHANGING_SECONDS = 120;
  private static final int FAILING_SECONDS = 80;
  private static final int PERIOD_SECONDS = 5;

  private DemoAgents() {}

  static NodeView node(NodeFacts node, DemoTime time) throws IOException {
    answers(node.name(), time);
    return ViewJson.read(bytes(nodeJson(node.name(), time)), NodeView.class);
  }

  static List<ContainerView> containers(NodeFacts node, DemoTime time, int history)
      throws IOException {
    answers(node.name(), time);
    ArrayNode list = JsonNodeFactory.instance.arrayNode();
    containers(node, new Containers(list, time, Math.min(history, ContainerView.MAX_HISTORY)));
    return ViewJson.readAll(bytes(list.toString()), ContainerView.class);
  }

  /** The agent of a node that is down does not. */
  private static void answers(String node, DemoTime time) throws IOException {
    boolean down =
        node.equals(DemoObjects.STUCK)
            || (node.equals(DemoObjects.RECOVERING) && time.isWithin(40, 225));
    if (down) {
      throw new IOException(
          "the agent of node %s: nothing within 15000 ms: the node is not Ready".formatted(node));
    }
  }

  private static byte[] bytes(String json) {
    return json.getBytes(java.nio.charset.StandardCharsets.UTF_8);
  }

  // --- Containers

  private static void containers(NodeFacts node, Containers containers) {
    String name = node.name();
    if (name.startsWith("control-plane")) {
      containers.well("kube-system", "kube-apiserver-" + name, "kube-apiserver");
      containers.well("kube-system", "etcd-" + name, "etcd");
      return;
    }
    int number = Integer.parseInt(name.substring(name.lastIndexOf('-') + 1));
    if ("database".equals(node.labels().get("pool"))) {
      containers.well("shop", "db-" + number, "postgres");
    } else {
      containers.well("shop", "web-" + number, "server");
      containers.well("shop", "cart-" + number, "server");
    }
    containers.well("monitoring", "node-exporter-" + number, "exporter");
    switch (name) {
      case "worker-a-2" -> containers.checkout();
      case "worker-a-5" ->
          containers.crashing(
              "mailer-5c9d8f7b6-hj2kd",
              "mailer",
              "panic: cannot connect to smtp.shop.svc:25: connection refused",
              1,
              "Error",
              12);
      case "worker-c-1" ->
          containers.crashing("recommender-7f6d5c4b3-p9xwz", "model", "", 137, "OOMKilled", 7);
      case DemoObjects.FULL ->
          containers
              .add("shop", "images-84b7d9c5f-tq6vn", "resizer", "ImagePullBackOff", false)
              .put(
                  "message",
                  "Back-off pulling image \"registry.shop.example/resizer:2.4.1\": no space left on"
                      + " device");
      default -> {}
    }
  }

  /**
   * Collects containers.
   *
   * @param history how many past outcomes each probe has
   */
  private record Containers(ArrayNode list, DemoTime time, int history) {
    ObjectNode add(String namespace, String pod, String container, String state, boolean ready) {
      return list.addObject()
          .put("namespace", namespace)
          .put("pod", pod)
          .put("container", container)
          .put("role", "regular")
          .put("id", Integer.toHexString((pod + container).hashCode()))
          .put("state", state)
          .put("ready", ready)
          .put("started", state.equals("Running"))
          .put("logPath", "/var/log/pods/%s_%s/%s/0.log".formatted(namespace, pod, container));
    }

    void well(String namespace, String pod, String container) {
      ObjectNode added = add(namespace, pod, container, "Running", true);
      added.put("startedAt", time.resolve("@2d4h"));
      ArrayNode probes = added.putArray("probes");
      probe(probes, "readiness", "httpGet", 0, "ok");
      probe(probes, "liveness", "httpGet", 0, "ok");
    }

    /** Its readiness probe fails for 80 of every 120 seconds. */
    void checkout() {
      long second = time.now().getEpochSecond() % CHANGING_SECONDS;
      boolean fails = second < FAILING_SECONDS;
      String said =
          "HTTP probe failed with statuscode: 503: {\"status\":\"DOWN\",\"payment\":\"timed out\"}";
      ObjectNode added = add("shop", "checkout-6f7c9d8b5-x2lqp", "server", "Running", !fails);
      added.put("startedAt", time.resolve("@3h20m"));
      ArrayNode probes = added.putArray("probes");
      int failures = fails ? (int) (second / PERIOD_SECONDS) + 1 : 0;
      probe(probes, "readiness", "httpGet", failures, fails ? said : "ok");
      probe(probes, "liveness", "tcpSocket", 0, "ok");
    }

    /** It starts again a minute after each end. */
    void crashing(
        String pod, String container, String said, int exitCode, String reason, int restarts) {
      ObjectNode added = add("shop", pod, container, "CrashLoopBackOff", false);
      long minute = time.now().getEpochSecond() / 60 * 60;
      added.put("restartCount", restarts);
      added.put("nextStart", Instant.ofEpochSecond(minute + 60).toString());
      added
          .putObject("lastTermination")
          .put("exitCode", exitCode)
          .put("signal", exitCode == 137 ? "SIGKILL" : null)
          .put("reason", reason)
          .put("message", said)
          .put("finishedAt", Instant.ofEpochSecond(minute).toString());
      added.putArray("probes");
    }

    private void probe(ArrayNode probes, String kind, String handler, int failures, String said) {
      boolean fails = failures > 0;
      Instant last =
          Instant.ofEpochSecond(time.now().getEpochSecond() / PERIOD_SECONDS * PERIOD_SECONDS);
      ObjectNode probe =
          probes
              .addObject()
              .put("kind", kind)
              .put("handler", handler)
              .put("result", fails ? "Failure" : "Success")
              .put("lastOutcome", fails ? "Failure" : "Success")
              .put("consecutive", fails ? failures : 1)
              .put("threshold", fails ? 3 : 1)
              .put("periodMs", PERIOD_SECONDS * 1000)
              .put("timeoutMs", 1000)
              .put("nextProbe", last.plusSeconds(PERIOD_SECONDS).toString())
              .put("lastProbe", last.toString())
              .put("lastLatencyMs", latency(last))
              .put("message", said);
      if (history == 0) {
        return;
      }
      ArrayNode outcomes = probe.putArray("history");
      for (int i = history - 1; i >= 0; i--) {
        boolean failed = i < failures;
        Instant at = last.minusSeconds((long) i * PERIOD_SECONDS);
        outcomes
            .addObject()
            .put("time", at.toString())
            .put("result", failed ? "failed" : "successful")
            .put("latencyMs", latency(at))
            .put("message", failed ? said : "ok");
      }
    }

    /** Some milliseconds that change a little, the same for the same moment. */
    private static double latency(Instant at) {
      long noise = Long.remainderUnsigned((at.getEpochSecond() * 0x9E3779B97F4A7C15L) >>> 20, 1000);
      return 2 + noise / 400.0 + (noise > 970 ? 9 : 0);
    }
  }

  // --- The node

  private static String nodeJson(String name, DemoTime time) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    ArrayNode conditions = node.putArray("conditions");
    for (String type :
        List.of("KernelDeadlock", "ReadonlyFilesystem", "DiskFull", "CorruptOverlay2")) {
      condition(conditions, type, "False", "NoProblem", "no problem found", time.resolve("@12d"));
    }
    if (name.equals(DemoObjects.FLAPPING)) {
      ObjectNode link =
          condition(
              conditions,
              "LinkDown",
              "True",
              "Flapping",
              "changed 9 times within 10m0s; now NoCarrier: eth1",
              time.resolve("@6m"));
      link.put("changesLastHour", 9);
      link.putArray("evidence")
          .addObject()
          .put("source", "kernel-monitor")
          .put("reason", "NoCarrier")
          .put("device", "eth1")
          .put("message", "eth1: link down")
          .put("since", time.resolve("@6m"));
      ArrayNode history = link.putArray("history");
      for (int minute = 14; minute >= 6; minute--) {
        boolean down = minute % 2 == 0;
        history
            .addObject()
            .put("time", time.resolve("@" + minute + "m"))
            .put("status", down ? "True" : "False")
            .put("reason", down ? "NoCarrier" : "LinksAreUp")
            .put("message", down ? "eth1: link down" : "eth1: link up");
      }
    }
    node.putArray("events");
    ArrayNode sources = node.putArray("sources");
    for (String source : List.of("kernel-monitor", "node-checks")) {
      sources
          .addObject()
          .put("name", source)
          .put("state", "running")
          .put("reads", 4_211 + time.cycleSeconds())
          .put("matches", 2);
    }
    node.putArray("notKnownYet");
    return node.put("time", time.now().toString()).toString();
  }

  private static ObjectNode condition(
      ArrayNode conditions,
      String type,
      String status,
      String reason,
      String message,
      String since) {
    return conditions
        .addObject()
        .put("type", type)
        .put("status", status)
        .put("reason", reason)
        .put("message", message)
        .put("lastTransitionTime", since);
  }
}
