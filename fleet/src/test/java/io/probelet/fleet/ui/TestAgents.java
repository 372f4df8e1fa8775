package io.probelet.fleet.ui;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.NodeView;
import io.probelet.web.api.ViewJson;
import java.io.IOException;
import java.util.Collections;
import java.util.List;

/**
 * Agents whose answers are made up, as JSON; there is none on node gone, and an odd one on
 * intruder.
 */
record TestAgents(String text) implements AgentPage.Agents {
  private static final String PROBE =
      """
      {"kind": "readiness", "handler": "httpGet", "result": "%1$s", "consecutive": 4, "threshold": 3,
       "periodMs": 1000, "timeoutMs": 1000, "lastProbe": "2026-11-22T11:59:59Z", "lastLatencyMs": 3.5,
       "message": "%2$s", "history": [
         {"time": "2026-11-22T11:59:59Z", "result": "%3$s", "latencyMs": 3.5, "message": "%2$s"}]}
      """;

  @Override
  public NodeView node(String node) throws IOException {
    there(node);
    return ViewJson.read(
        bytes(
            """
            {"conditions": [{"type": "KernelDeadlock", "status": "False", "reason": "Fine",
               "message": "%1$s", "lastTransitionTime": "2026-11-22T11:00:00Z"}],
             "events": [],
             "sources": [{"name": "kernel", "state": "failing", "reason": "", "trouble": "no kernel log",
               "reads": 0, "matches": 0, "lost": 0, "unread": 0, "timeouts": 0}]}
            """
                .formatted(quoted())),
        NodeView.class);
  }

  @Override
  public List<ContainerView> containers(String node, int history) throws IOException {
    there(node);
    String good = PROBE.formatted("Success", "ok", "successful");
    String bad = PROBE.formatted("Failure", quoted(), "failed");
    String many = String.join(",", Collections.nCopies(9, good));
    return ViewJson.readAll(
        bytes(
            "["
                + container("web", true, node.equals("intruder") ? many : good)
                + ","
                + container("checkout", false, bad)
                + "]"),
        ContainerView.class);
  }

  private static void there(String node) throws IOException {
    if (node.equals("gone")) {
      throw new IOException("no pod of probelet-agent in namespace probelet-system runs on gone");
    }
  }

  private static String container(String pod, boolean ready, String probes) {
    return """
    {"namespace": "shop", "pod": "%s", "container": "server", "id": "1", "state": "Running",
     "ready": %s, "started": true, "restartCount": 2, "probes": [%s]}
    """
        .formatted(pod, ready, probes);
  }

  private String quoted() {
    return String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text));
  }

  private static byte[] bytes(String json) {
    return json.getBytes(UTF_8);
  }
}
