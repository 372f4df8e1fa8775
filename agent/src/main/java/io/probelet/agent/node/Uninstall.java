package io.probelet.agent.node;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.OneLine;
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
import java.util.stream.Stream;

/**
 * Takes off nodes what agents have put there (B-6): conditions, taints and the notes about them.
 */
public final class Uninstall {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);
  private static final int PAGE = 100;

  /** With this begin the names of all annotations, labels and taints that are Probelet's. */
  private static final String OURS = "probelet.io/";

  /** An out-of-service remediation sets it, but so do people. */
  private static final String OUT_OF_SERVICE = "node.kubernetes.io/out-of-service";

  private static final String CORDONED_BY = OURS + "cordoned-by";
  private static final int MAX_LEFT = 10;
  private static final int MAX_NAME = 100;

  private final ApiServer api;
  private final PrintWriter out;

  /**
   * Creates it; nothing is asked yet.
   *
   * @param client knows the API server; closed by its owner
   */
  public Uninstall(KubernetesClient client, PrintWriter out) {
    api = ApiServer.of(client, TIMEOUT);
    this.out = out;
  }

  /**
   * Clears one node.
   *
   * @return whether nothing of Probelet is left
   */
  public boolean node(String node) {
    return report(node, new AbsentAgent(api, node).remove());
  }

  /** {@return whether nothing of Probelet is left on any node} */
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
    List<String> left = answer instanceof Done(JsonNode node) ? left(node) : List.of();
    String text =
        left.isEmpty()
            ? "everything of Probelet was removed"
            : "removed conditions, taints and annotations of agents; remaining: "
                + String.join(", ", left);
    out.println(what + ": " + (answer instanceof Done ? text : answer.summary()));
    out.flush();
    return answer instanceof Done && left.isEmpty();
  }

  /** What remediations and users have put on a node, which is not for this command to decide. */
  private static List<String> left(JsonNode node) {
    List<String> left = new ArrayList<>();
    for (String field : List.of("annotation", "label")) {
      node.path("metadata")
          .path(field + "s")
          .fieldNames()
          .forEachRemaining(name -> {
            if (name.startsWith(OURS)) {
              left.add(field + " " + OneLine.of(name, MAX_NAME) + advice(name));
            }
          });
    }
    for (JsonNode taint : node.at("/spec/taints")) {
      String key = taint.path("key").asText();
      if (key.startsWith(OURS) || key.equals(OUT_OF_SERVICE)) {
        left.add("taint " + OneLine.of(key, MAX_NAME));
      }
    }
    int more = left.size() - MAX_LEFT;
    return more <= 0
        ? left
        : Stream.concat(left.stream().limit(MAX_LEFT), Stream.of(more + " more")).toList();
  }

  private static String advice(String annotation) {
    return annotation.equals(CORDONED_BY) ? " (a drain cordoned the node: uncordon it)" : "";
  }
}
