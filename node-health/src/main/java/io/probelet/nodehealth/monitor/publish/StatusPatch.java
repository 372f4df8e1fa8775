package io.probelet.nodehealth.monitor.publish;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.Condition;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;

/** The strategic merge patch of a Node's status: keyed by type, it leaves others' conditions. */
final class StatusPatch {
  private static final ObjectMapper JSON = new ObjectMapper();

  private StatusPatch() {}

  /**
   * Makes a patch.
   *
   * @param said what our conditions say
   * @param gone types of ours that are to be removed
   * @param now the wall time, which becomes the heartbeat
   */
  static String of(Collection<Condition> said, Collection<String> gone, Instant now) {
    ObjectNode root = JSON.createObjectNode();
    ArrayNode conditions = root.putObject("status").putArray("conditions");
    for (Condition condition : said) {
      conditions
          .addObject()
          .put("type", condition.type())
          .put("status", condition.status().toString())
          .put("reason", condition.reason())
          .put("message", condition.message())
          .put("lastTransitionTime", seconds(condition.lastTransitionTime()))
          .put("lastHeartbeatTime", seconds(now));
    }
    for (String type : gone) {
      conditions.addObject().put("$patch", "delete").put("type", type);
    }
    return root.toString();
  }

  /** Kubernetes keeps no more. */
  private static String seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
