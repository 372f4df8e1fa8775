package io.probelet.monitor.publish;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Probelet's entries on a Node whose agent is gone or being uninstalled (B-6). */
public final class AbsentAgent {
  /** The reason of Unknown conditions whose agent is gone. */
  public static final String REASON = "AgentGone";

  private final NodeRequests requests;

  /** Creates an instance without any request. */
  public AbsentAgent(ApiServer api, String node) {
    requests = new NodeRequests(api, node);
  }

  /**
   * Sets all our conditions to Unknown. Those already Unknown for this reason stay unchanged.
   *
   * @return the result; also done if there is nothing to change
   */
  public ApiResult gone(String message, Instant now) {
    ApiResult answer = requests.get();
    if (!(answer instanceof Done(JsonNode node))) {
      return answer;
    }
    List<Condition> unknown =
        NodeRequests.conditions(node, Ownership.of(node).types()).stream()
            .filter(condition -> !condition.reason().equals(REASON))
            .map(condition ->
                condition.update(ConditionStatus.UNKNOWN, REASON, message, List.of(), now))
            .toList();
    return unknown.isEmpty()
        ? answer
        : requests.patch(NodeRequests.statusPatch(unknown, Set.of(), now));
  }

  /**
   * Removes what the agent has written on the Node. Taints stay until the leader finds them
   * unwanted.
   *
   * @return the result; also done if there is nothing to remove
   */
  public ApiResult withdraw() {
    ApiResult answer = requests.get();
    if (!(answer instanceof Done(JsonNode node))) {
      return answer;
    }
    Set<String> types = Ownership.of(node).types();
    ObjectNode patch = NodeRequests.statusPatch(List.of(), types, Instant.EPOCH);
    if (Ownership.isOn(node)) {
      Ownership.NONE.addTo(patch.withObject("metadata"));
    }
    if (!NodeTaints.wanted(node).isEmpty()) {
      NodeTaints.want(List.of(), patch.withObject("metadata"));
    }
    return types.isEmpty() && !patch.has("metadata") ? answer : requests.patch(patch);
  }

  /**
   * Removes everything of Probelet from the Node, including taints, since there may be no leader
   * any more. Requires permission to patch nodes.
   *
   * @return the result; also done if there is nothing to remove
   */
  public ApiResult remove() {
    ApiResult answer = withdraw();
    return answer instanceof Done(JsonNode node) && NodeTaints.areOn(node)
        ? requests.patchAll(NodeTaints.removal(node))
        : answer;
  }
}
