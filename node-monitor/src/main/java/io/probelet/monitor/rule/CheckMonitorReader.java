package io.probelet.monitor.rule;

import io.probelet.monitor.rule.Consequence.EventOnly;
import io.probelet.monitor.rule.Consequence.OnCondition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads files about checks (B-9). They are ours alone, so a key nobody knows is refused. */
final class CheckMonitorReader {
  static final String SOURCE = "node-checks";

  private final Map<String, ConditionSpec> conditions = new LinkedHashMap<>();
  private final List<CheckRule> rules = new ArrayList<>();
  private final Set<CheckKind> about = EnumSet.noneOf(CheckKind.class);

  private CheckMonitorReader(List<ConditionSpec> declared) {
    declared.forEach(spec -> conditions.put(spec.type(), spec));
  }

  static Monitor read(MonitorKeys keys) {
    CommonReader common = CommonReader.of(keys, keys.text("source", SOURCE));
    CheckMonitorReader reader = new CheckMonitorReader(common.conditions());
    for (MonitorKeys rule : keys.objects("rules")) {
      reader.rule(rule);
    }
    keys.unknown(true, "; a file about checks has source, metricsReporting, conditions, rules");
    return new Monitor.Checks(
        common.source(),
        common.metricsReporting(),
        List.copyOf(reader.conditions.values()),
        reader.rules,
        reader.about);
  }

  private void rule(MonitorKeys keys) {
    String name = keys.required("check", "one of " + CheckKind.labels());
    Optional<CheckKind> kind = CheckKind.named(name);
    if (kind.isPresent()) {
      rule(keys, kind.get());
    } else if (!name.isBlank()) {
      keys.error("check", "\"" + name + "\" is none of " + CheckKind.labels());
    }
  }

  private void rule(MonitorKeys keys, CheckKind kind) {
    about.add(kind);
    boolean enabled = keys.bool("enabled", true);
    Consequence consequence = consequence(keys, kind);
    Duration interval = keys.positive("interval", kind.interval());
    Duration timeout = keys.positive("timeout", kind.timeout());
    CheckSpec check = CheckSpecReader.read(kind, keys);
    keys.unknown(true, " of the check " + kind.label());
    if (enabled && consequence != null) {
      if (consequence instanceof OnCondition on) {
        CheckConditions.of(on.type()).ifPresent(spec -> conditions.putIfAbsent(on.type(), spec));
      }
      rules.add(new CheckRule(kind, consequence, check, interval, timeout));
    }
  }

  private @Nullable Consequence consequence(MonitorKeys keys, CheckKind kind) {
    String type = keys.text("type", "permanent");
    String condition = keys.text("condition", kind.condition());
    String reason = keys.text("reason", kind.reason());
    Patience patience =
        Patience.NONE.withDebounce(keys.duration("debounce", kind.debounce())); // B-2
    return switch (type) {
      case "temporary" -> new EventOnly(reason, Patience.NONE);
      case "permanent" -> {
        if (!conditions.containsKey(condition) && CheckConditions.of(condition).isEmpty()) {
          keys.error(
              "condition",
              "\"" + condition + "\" is neither built in nor among the types in conditions");
        }
        yield new OnCondition(condition, reason, patience);
      }
      default -> {
        keys.error("type", "\"" + type + "\" is neither temporary nor permanent");
        yield null;
      }
    };
  }
}
