package io.probelet.agent.node;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.monitor.publish.AbsentAgent;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes off nodes what agents have put there (B-6): conditions, taints and the notes about them.
 */
public final class Uninstall {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int PAGE = 100;

  private final ApiServer api;
  private final PrintWriter out;

  /**
   * Creates it; nothing is asked yet.
   *
   * @param client knows the API server; closed by its owner
   * @param out takes what is done as text, node by node
   */
  public Uninstall(KubernetesClient client, PrintWriter out) {
    api = ApiServer.of(client, TIMEOUT);
    this.out = out;
  }

  /**
   * Clears one node.
   *
   * @param node its name
   * @return whether nothing of ours is there any more
   */
  public boolean node(String node) {
    return report(node, new AbsentAgent(api, node).remove());
  }

  /** {@return whether nothing of ours is on any node any more} */
  public boolean all() {
    List<String> names = new ArrayList<>();
    String more = "";
    do {
      String page = more.isEmpty() ? "" : "&continue=" + more;
      ApiResult answer = api.get("/api/v1/nodes?limit=" + PAGE + page);
      if (!(answer instanceof Done(JsonNode list))) {
        return report("all nodes", answer);
      }
      list.path("items").forEach(node -> names.add(node.at("/metadata/name").asText()));
      more = list.at("/metadata/continue").asText();
    } while (!more.isEmpty());
    boolean clear = true;
    for (String name : names) {
      clear &= node(name);
    }
    return clear;
  }

  private boolean report(String what, ApiResult answer) {
    boolean done = answer instanceof Done;
    out.println(what + ": " + (done ? "nothing of Probelet's is left" : answer.summary()));
    out.flush();
    return done;
  }
}
