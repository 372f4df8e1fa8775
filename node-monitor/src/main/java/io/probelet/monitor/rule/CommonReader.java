package io.probelet.monitor.rule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What all monitor files have in common: their name, their conditions, and what rules do. */
record CommonReader(String source, boolean metricsReporting, List<ConditionSpec> conditions) {

  static CommonReader of(MonitorKeys keys) {
    return of(keys, keys.required("source", "the name events and metrics are reported under"));
  }

  static CommonReader of(MonitorKeys keys, String source) {
    boolean metrics = keys.bool("metricsReporting", true);
    List<ConditionSpec> conditions = new ArrayList<>();
    Set<String> types = new HashSet<>();
    for (MonitorKeys item : keys.objects("conditions")) {
      ConditionSpec condition = condition(item);
      if (!condition.type().isEmpty() && !types.add(condition.type())) {
        item.error("type", condition.type() + " is listed twice");
      }
      conditions.add(condition);
    }
    return new CommonReader(source, metrics, List.copyOf(conditions));
  }

  private static ConditionSpec condition(MonitorKeys keys) {
    String type = keys.required("type", "the condition's type, such as ReadonlyFilesystem");
    String reason = keys.required("reason", "the reason while nothing is wrong");
    String message = keys.text("message", "");
    Duration holdFor = keys.duration("holdFor", ConditionSpec.HOLD_FOR); // B-5
    int flapCount = keys.atLeast(0, "flapCount", ConditionSpec.FLAP_COUNT); // B-2
    if (flapCount == 1) {
      keys.error("flapCount", "must be 2 or more, or 0 to never call it flapping");
    }
    Duration flapWindow = keys.positive("flapWindow", ConditionSpec.FLAP_WINDOW);
    int share = keys.percent("taintMaxNodesPercent", TaintSpec.MAX_NODES_PERCENT);
    TaintSpec taint = keys.parsed("taint", text -> TaintSpec.parse(text, share)); // B-11
    keys.unknown(false, ", ignored");
    return new ConditionSpec(type, reason, message, holdFor, flapCount, flapWindow, taint);
  }

  /** What a rule does; null if it cannot be told. */
  @Nullable Consequence consequence(MonitorKeys keys) {
    String type = keys.required("type", "temporary or permanent");
    String reason = keys.required("reason", "one word in UpperCamelCase");
    String condition = keys.text("condition", "");
    Patience patience = patience(keys);
    return switch (type) {
      case "temporary" -> new Consequence.EventOnly(reason, patience);
      case "permanent" -> {
        if (conditions.stream().noneMatch(spec -> spec.type().equals(condition))) {
          keys.error(
              "condition",
              condition.isEmpty()
                  ? "is required of a permanent rule: one of the types in conditions"
                  : "\"" + condition + "\" is not among the types in conditions");
        }
        yield new Consequence.OnCondition(condition, reason, patience);
      }
      default -> {
        if (!type.isEmpty()) {
          keys.error("type", "\"" + type + "\" is neither temporary nor permanent");
        }
        yield null;
      }
    };
  }

  private static Patience patience(MonitorKeys keys) {
    int minCount = keys.atLeast(1, "minCount", 1);
    Duration window = keys.duration("window", Duration.ZERO);
    Duration debounce = keys.duration("debounce", Duration.ZERO);
    Duration clearAfter = keys.duration("clearAfter");
    if (minCount > 1 && window.isZero()) {
      keys.error("window", "is required when minCount is above 1, such as 10m");
      return Patience.NONE;
    }
    return new Patience(minCount, window, debounce, clearAfter);
  }
}
