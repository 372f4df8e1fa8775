package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.simulation.api.ObjectFields;
import io.probelet.simulation.rules.WorldEvent.ContainerStopped;
import io.probelet.simulation.rules.WorldEvent.Written;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** When the world has changed last. Heartbeats are no change: they never end. */
final class LastChange {
  /** Kinds whose objects are renewed or counted again and again. */
  private static final Set<String> RENEWED = Set.of("Lease", "Event");

  private static final List<String> TIMES =
      List.of("lastHeartbeatTime", "lastUpdateTime", "resourceVersion");

  private long at;

  void saw(WorldEvent event) {
    if (event instanceof ContainerStopped
        || (event instanceof Written write && isChange(write.before(), write.after()))) {
      at = event.at();
    }
  }

  /** {@return in nanoseconds since the beginning} */
  long at() {
    return at;
  }

  private static boolean isChange(@Nullable JsonNode before, @Nullable JsonNode after) {
    if (before == null || after == null) {
      JsonNode object = before == null ? after : before;
      return object != null && !RENEWED.contains(ObjectFields.kind(object));
    }
    return !RENEWED.contains(ObjectFields.kind(after))
        && !withoutTimes(before).equals(withoutTimes(after));
  }

  private static JsonNode withoutTimes(JsonNode object) {
    JsonNode copy = object.deepCopy();
    copy.findParents("lastHeartbeatTime").forEach(each -> ((ObjectNode) each).remove(TIMES));
    ((ObjectNode) copy.path("metadata")).remove(TIMES);
    return copy;
  }
}
