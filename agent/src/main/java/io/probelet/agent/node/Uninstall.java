package io.probelet.agent.node;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.kube.object.KeptFields;
import io.probelet.kube.object.ObjectLimits;
import io.probelet.kube.watch.ObjectList;
import io.probelet.kube.watch.Selection;
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
    ApiResult answer =
        ObjectList.read(
            api,
            new Selection("Node", "/api/v1/nodes", "", PAGE),
            KeptFields.of(),
            ObjectLimits.USUAL,
            node -> names.add(node.at("/metadata/name").asText()));
    if (!(answer instanceof Done)) {
      return report("all nodes", answer);
    }
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
