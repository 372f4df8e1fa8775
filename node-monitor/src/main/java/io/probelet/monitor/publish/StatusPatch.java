package io.probelet.monitor.publish;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.Condition;
import io.probelet.kube.WireTime;
import java.time.Instant;
import java.util.Collection;

/** The strategic merge patch of a Node's status: keyed by type, it leaves others' conditions. */
final class StatusPatch {
  private StatusPatch() {}

  /**
   * Makes a patch.
   *
   * @param said what our conditions say
   * @param gone types of ours that are to be removed
   * @param now the wall time, which becomes the heartbeat
   */
  static ObjectNode of(Collection<Condition> said, Collection<String> gone, Instant now) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    ArrayNode conditions = root.putObject("status").putArray("conditions");
    for (Condition condition : said) {
      conditions
          .addObject()
          .put("type", condition.type())
          .put("status", condition.status().toString())
          .put("reason", condition.reason())
          .put("message", condition.message())
          .put("lastTransitionTime", WireTime.seconds(condition.lastTransitionTime()))
          .put("lastHeartbeatTime", WireTime.seconds(now));
    }
    for (String type : gone) {
      conditions.addObject().put("$patch", "delete").put("type", type);
    }
    return root;
  }
}
