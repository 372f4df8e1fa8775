package io.probelet.nodehealth.monitor.publish;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.nodehealth.api.Answer;
import io.probelet.nodehealth.api.Answer.Done;
import io.probelet.nodehealth.api.ApiServer;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** What is ours on a Node whose own agent does not care for it: it is gone, or is to go (B-6). */
public final class AbsentAgent {
  /** Why a condition is Unknown that nobody keeps any more. */
  public static final String REASON = "AgentGone";

  private final NodeRequests requests;

  /**
   * Creates it; nothing is asked yet.
   *
   * @param api the API server
   * @param node name of the Node
   */
  public AbsentAgent(ApiServer api, String node) {
    requests = new NodeRequests(api, node);
  }

  /**
   * Says of all our conditions that nobody knows. Those that say so already are left as they are.
   *
   * @param message why
   * @param now the wall time
   * @return what came of it; done as well if there is nothing to change
   */
  public Answer gone(String message, Instant now) {
    Answer answer = requests.get();
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
        : requests.patchStatus(StatusPatch.of(unknown, Set.of(), now));
  }

  /**
   * Takes everything of ours off the Node, whichever program put it there.
   *
   * @return what came of it; done as well if nothing was ours
   */
  public Answer remove() {
    Answer answer = requests.get();
    if (!(answer instanceof Done(JsonNode node))) {
      return answer;
    }
    Set<String> types = Ownership.of(node).types();
    if (!types.isEmpty()) {
      answer = requests.patchStatus(StatusPatch.of(List.of(), types, Instant.EPOCH));
    }
    if (answer instanceof Done && Ownership.isOn(node)) {
      answer = requests.patch(Ownership.NONE.patch());
    }
    return answer instanceof Done(JsonNode now) && NodeTaints.areOn(node)
        ? requests.merge(NodeTaints.removal(now.has("metadata") ? now : node))
        : answer;
  }
}
