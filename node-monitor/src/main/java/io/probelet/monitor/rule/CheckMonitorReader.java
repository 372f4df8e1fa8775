package io.probelet.monitor.rule;

import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem.Severity;
import io.probelet.health.GoDuration;
import io.probelet.monitor.rule.Consequence.EventOnly;
import io.probelet.monitor.rule.Consequence.EvidenceThreshold;
import io.probelet.monitor.rule.Consequence.OnCondition;
import io.probelet.monitor.rule.Monitor.CheckRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads check files (B-9). Their format is ours alone, so unknown keys are errors. */
final class CheckMonitorReader {
  static final String SOURCE = "node-checks";

  private final Map<String, ConditionSpec> conditions = new LinkedHashMap<>();
  private final List<CheckRule> rules = new ArrayList<>();
  private final Set<CheckKind> about = EnumSet.noneOf(CheckKind.class);

  private CheckMonitorReader(List<ConditionSpec> declared) {
    declared.forEach(spec -> conditions.put(spec.type(), spec));
  }

  static Monitor read(Fields monitor) {
    CommonReader common = CommonReader.of(monitor, monitor.field("source").text(SOURCE));
    CheckMonitorReader reader = new CheckMonitorReader(common.conditions());
    FieldRules.objects(monitor.field("rules")).forEach(reader::rule);
    monitor.rejectUnknown(
        Severity.ERROR,
        "unknown field; allowed: plugin, source, metricsReporting, conditions, rules");
    return new Monitor.Checks(
        common.source(),
        common.metricsReporting(),
        List.copyOf(reader.conditions.values()),
        reader.rules,
        reader.about);
  }

  private void rule(Fields rule) {
    Field field = rule.field("check");
    if (!field.isPresent()) {
      field.required("one of " + CheckKind.labels());
    }
    CheckKind kind = FieldRules.oneOf(field, CheckKind.values());
    if (kind != null) {
      rule(rule, kind);
    }
  }

  private void rule(Fields rule, CheckKind kind) {
    about.add(kind);
    boolean enabled = rule.field("enabled").bool(true);
    Consequence consequence = consequence(rule, kind);
    Duration interval = MonitorValues.positive(rule.field("interval"), kind.interval());
    Duration timeout = MonitorValues.positive(rule.field("timeout"), kind.timeout());
    CheckSpec check = CheckSpecReader.read(kind, rule);
    if (check instanceof CheckSpec.CpuLockup cpus && cpus.within().compareTo(timeout) >= 0) {
      rule.field("within").invalid("must be less than timeout, " + GoDuration.format(timeout));
    }
    rule.rejectUnknown(Severity.ERROR, "unknown field of the check " + kind.label());
    if (enabled && consequence != null) {
      if (consequence instanceof OnCondition on) {
        CheckConditions.of(on.type()).ifPresent(spec -> conditions.putIfAbsent(on.type(), spec));
      }
      rules.add(new CheckRule(kind, consequence, check, interval, timeout));
    }
  }

  private @Nullable Consequence consequence(Fields rule, CheckKind kind) {
    Field type = rule.field("type");
    Field condition = rule.field("condition");
    String named = condition.text(kind.condition());
    String reason = rule.field("reason").text(kind.reason());
    EvidenceThreshold threshold = // how long a failure must last before it counts (B-2)
        EvidenceThreshold.NONE.withDebounce(
            MonitorValues.duration(rule.field("debounce"), kind.debounce()));
    return switch (FieldRules.oneOf(type, CommonReader.TYPES)) {
      case CommonReader.TEMPORARY -> new EventOnly(reason, EvidenceThreshold.NONE);
      case null, default -> {
        if (!conditions.containsKey(named) && CheckConditions.of(named).isEmpty()) {
          condition.invalid("must be a built-in condition, or a type in conditions");
        }
        yield new OnCondition(named, reason, threshold);
      }
    };
  }
}
