package io.probelet.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.simulation.api.ObjectFields;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Compares what processes have left in a quiet world with what fresh ones make of it. */
final class FreshStart {
  /** Kinds whose objects say how something is, and not what happened. */
  private static final Set<String> KINDS =
      Set.of("Node", "Pod", "NodeHealthCheck", "RemediationPolicy", "ClusterHealth");

  /** Times, versions and counts of the past, which a fresh start does not repeat. */
  private static final List<String> PASSING =
      List.of(
          "resourceVersion",
          "managedFields",
          "generation",
          "lastUpdateTime",
          "lastHeartbeatTime",
          "lastTransitionTime",
          "lastProbeTime",
          "restartCount",
          "lastState",
          "containerID",
          "startedAt",
          "message",
          "recent",
          "lastHour");

  private FreshStart() {}

  /** {@return what lasts of the objects, by path} */
  static Map<String, JsonNode> lasting(SequencedMap<String, JsonNode> objects) {
    Map<String, JsonNode> lasting = new TreeMap<>();
    objects.forEach((path, object) -> {
      if (KINDS.contains(object.path("kind").asText())) {
        JsonNode kept = object.deepCopy();
        strip(kept);
        lasting.put(path, kept);
      }
    });
    return lasting;
  }

  private static void strip(JsonNode node) {
    if (node instanceof ObjectNode object) {
      object.remove(PASSING);
      if (object.path("conditions") instanceof ArrayNode conditions) {
        // Their order has no meaning.
        ObjectNode byType = object.putObject("conditions");
        for (JsonNode condition : conditions) {
          byType.set(condition.path("type").asText(), condition);
        }
      }
    }
    node.forEach(FreshStart::strip);
  }

  /**
   * {@return the first object that a fresh start has changed, and how; nothing if there is none}
   */
  static Optional<String> difference(Map<String, JsonNode> before, Map<String, JsonNode> after) {
    Set<String> paths = new TreeSet<>(before.keySet());
    paths.addAll(after.keySet());
    return paths.stream()
        .filter(path -> !Objects.equals(before.get(path), after.get(path)))
        .filter(path -> !endsAgainAndAgain(before.get(path)))
        .filter(path -> !endsAgainAndAgain(after.get(path)))
        .map(path -> path + difference("", before.get(path), after.get(path)))
        .findFirst();
  }

  /** A pod whose containers do not last looks different each time, whoever has started anew. */
  private static boolean endsAgainAndAgain(@Nullable JsonNode object) {
    return object != null
        && ObjectFields.items(object.at("/status/containerStatuses"))
            .anyMatch(each -> !each.path("ready").asBoolean());
  }

  /** The first object below two others in which these differ, as it was and as it is. */
  private static String difference(
      String field, @Nullable JsonNode before, @Nullable JsonNode after) {
    if (before instanceof ObjectNode was && after instanceof ObjectNode is) {
      Set<String> names = new TreeSet<>();
      was.fieldNames().forEachRemaining(names::add);
      is.fieldNames().forEachRemaining(names::add);
      for (String name : names) {
        boolean deeper = was.path(name).isContainerNode() && is.path(name).isContainerNode();
        if (!Objects.equals(was.get(name), is.get(name)) && deeper) {
          return difference(field + " " + name, was.get(name), is.get(name));
        }
      }
    }
    if (before instanceof ArrayNode was
        && after instanceof ArrayNode is
        && was.size() == is.size()) {
      for (int index = 0; index < was.size(); index++) {
        if (!was.get(index).equals(is.get(index))) {
          return difference(field + " " + index, was.get(index), is.get(index));
        }
      }
    }
    return "%s was %s and is %s".formatted(field, before, after);
  }
}
