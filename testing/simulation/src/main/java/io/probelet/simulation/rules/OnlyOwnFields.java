package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.simulation.api.ObjectFields;
import io.probelet.simulation.rules.WorldEvent.Written;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** Nodes and pods belong to others, who have conditions, taints and labels of their own there. */
final class OnlyOwnFields implements Rule {
  private static final Set<String> OTHERS_CONDITIONS =
      Set.of(
          "Ready",
          "MemoryPressure",
          "DiskPressure",
          "PIDPressure",
          "NetworkUnavailable",
          "PodScheduled",
          "Initialized",
          "ContainersReady",
          "example.com/other");

  @Override
  public String name() {
    return "only-own-fields";
  }

  @Override
  public String reason() {
    return "Only our own fields, conditions, taints, labels and finalizers are changed.";
  }

  @Override
  public void saw(WorldEvent event, Findings findings) {
    if (!(event instanceof Written write)
        || write.before() == null
        || write.after() == null
        || (!write.process().startsWith("agent") && !write.process().startsWith("controller"))) {
      return;
    }
    String kind = ObjectFields.kind(write.after());
    if (kind.equals("Node") || kind.equals("Pod")) {
      Set<String> foreign = foreign(write.before(), write.after(), write.process());
      findings.check(
          this,
          write.at(),
          foreign.isEmpty(),
          () -> "%s changed %s of %s".formatted(write.process(), foreign, write.path()));
    }
  }

  private static Set<String> foreign(JsonNode before, JsonNode after, String process) {
    Set<String> foreign = new TreeSet<>();
    for (String map : Set.of("labels", "annotations")) {
      for (String key :
          changed(
              fields(before.path("metadata").path(map)),
              fields(after.path("metadata").path(map)))) {
        if (!key.startsWith("probelet.io/") && !key.startsWith("remediation.medik8s.io/")) {
          foreign.add(map + " " + key);
        }
      }
    }
    for (String type :
        changed(
            list(before.at("/status/conditions"), OnlyOwnFields::type),
            list(after.at("/status/conditions"), OnlyOwnFields::type))) {
      if (OTHERS_CONDITIONS.contains(type)) {
        foreign.add("condition " + type);
      }
    }
    for (String taint :
        changed(
            list(before.at("/spec/taints"), OnlyOwnFields::taint),
            list(after.at("/spec/taints"), OnlyOwnFields::taint))) {
      if (!taint.startsWith("probelet.io/")
          && !taint.startsWith("node.kubernetes.io/out-of-service")) {
        foreign.add("taint " + taint);
      }
    }
    for (String finalizer :
        changed(
            list(before.at("/metadata/finalizers"), JsonNode::asText),
            list(after.at("/metadata/finalizers"), JsonNode::asText))) {
      if (!finalizer.startsWith("probelet.io/")) {
        foreign.add("finalizer " + finalizer);
      }
    }
    for (String field : changed(fields(before.path("spec")), fields(after.path("spec")))) {
      if (!field.equals("taints")
          && !(field.equals("unschedulable") && process.startsWith("controller"))) {
        foreign.add("spec." + field);
      }
    }
    for (String field : changed(fields(before.path("status")), fields(after.path("status")))) {
      if (!field.equals("conditions")) {
        foreign.add("status." + field);
      }
    }
    return foreign;
  }

  private static String type(JsonNode condition) {
    return condition.path("type").asText();
  }

  private static String taint(JsonNode taint) {
    return taint.path("key").asText() + ":" + taint.path("effect").asText();
  }

  private static Map<String, JsonNode> fields(JsonNode object) {
    Map<String, JsonNode> fields = new HashMap<>();
    object.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
    return fields;
  }

  private static Map<String, JsonNode> list(JsonNode array, Function<JsonNode, String> key) {
    Map<String, JsonNode> fields = new HashMap<>();
    array.forEach(element -> fields.put(key.apply(element), element));
    return fields;
  }

  private static Set<String> changed(Map<String, JsonNode> before, Map<String, JsonNode> after) {
    Set<String> changed = new TreeSet<>(before.keySet());
    changed.addAll(after.keySet());
    changed.removeIf(key -> before.containsKey(key) && before.get(key).equals(after.get(key)));
    return changed;
  }
}
