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

/** What is ours on a Node without an agent of its own: the agent is gone, or is to go (B-6). */
public final class AbsentAgent {
  /** Why a condition is Unknown that nobody keeps any more. */
  public static final String REASON = "AgentGone";

  private final NodeRequests requests;

  /** Creates it; nothing is asked yet. */
  public AbsentAgent(ApiServer api, String node) {
    requests = new NodeRequests(api, node);
  }

  /**
   * Says of all our conditions that nobody knows. Those that say so already are left as they are.
   *
   * @return what came of it; done as well if there is nothing to change
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
   * Takes off the Node what its agent puts there, whichever program that was. Taints stay until the
   * leader sees that nobody wants them any more.
   *
   * @return what came of it; done as well if nothing was ours
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
   * Takes everything of ours off the Node, taints too, where there may be no leader any more; that
   * takes the right to patch nodes.
   *
   * @return what came of it; done as well if nothing was ours
   */
  public ApiResult remove() {
    ApiResult answer = withdraw();
    return answer instanceof Done(JsonNode node) && NodeTaints.areOn(node)
        ? requests.patchAll(NodeTaints.removal(node))
        : answer;
  }
}
