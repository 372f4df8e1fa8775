package io.probelet.monitor.rule;

import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.name.QualifiedName;
import io.probelet.health.ConditionSeverity;
import io.probelet.monitor.rule.Consequence.EvidenceThreshold;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the common fields of all monitor files: source, conditions, and consequences of rules. */
record CommonReader(String source, boolean metricsReporting, List<ConditionSpec> conditions) {

  static final String TEMPORARY = "temporary";
  static final List<String> TYPES = List.of(TEMPORARY, "permanent");

  /** The message about an unknown key in a file format that node-problem-detector also reads. */
  static final String IGNORED = "unknown field, ignored";

  /**
   * node-problem-detector accepts a file without a source, and reports under an empty name.
   */
  static CommonReader ofDetector(Fields monitor, String otherwise) {
    Field field = monitor.field("source");
    String source = field.text("");
    if (source.isBlank()) {
      field.warning("is empty; events and metrics use \"" + otherwise + "\" instead");
    }
    return of(monitor, source.isBlank() ? otherwise : source);
  }

  static CommonReader of(Fields monitor, String source) {
    boolean metrics = monitor.field("metricsReporting").bool(true);
    List<ConditionSpec> conditions = new ArrayList<>();
    Set<String> types = new HashSet<>();
    for (Fields item : FieldRules.objects(monitor.field("conditions"))) {
      ConditionSpec condition = condition(item);
      if (!condition.type().isEmpty() && !types.add(condition.type())) {
        item.field("type").duplicate("each type is listed once");
      }
      conditions.add(condition);
    }
    return new CommonReader(source, metrics, List.copyOf(conditions));
  }

  private static ConditionSpec condition(Fields keys) {
    Field typeField = keys.field("type");
    String type =
        FieldRules.requiredText(typeField, "the condition's type, such as ReadonlyFilesystem");
    boolean degraded = type != null && ConditionSeverity.of(type) == ConditionSeverity.DEGRADED;
    if (type != null && degraded && !QualifiedName.isValid(type)) {
      typeField.invalid(QualifiedName.RULE);
    }
    if (type != null && ConditionSpec.isKubelets(type)) { // B-6: the agent publishes no such one
      typeField.invalid(
          "must not be a condition of the kubelet, which a monitor cannot set; choose another name");
    }
    String reason = FieldRules.requiredText(keys.field("reason"), "the reason while healthy");
    String message = keys.field("message").text("");
    // holding and flap detection (B-5, B-2)
    Duration holdFor = MonitorValues.duration(keys.field("holdFor"), ConditionSpec.HOLD_FOR);
    Field flaps = keys.field("flapCount");
    int flapCount = FieldRules.atLeast(flaps, 0, ConditionSpec.FLAP_COUNT);
    if (flapCount == 1) {
      flaps.invalid("must be 2 or more, or 0 to disable flap detection");
    }
    Duration flapWindow =
        MonitorValues.positive(keys.field("flapWindow"), ConditionSpec.FLAP_WINDOW);
    int share =
        MonitorValues.percent(keys.field("taintMaxNodesPercent"), TaintSpec.MAX_NODES_PERCENT);
    Field taintField = keys.field("taint");
    TaintSpec taint = // set while the condition is true, on a limited share of nodes (B-11)
        FieldRules.parsed(taintField, text -> TaintSpec.parse(text, share));
    if (degraded && taint != null) { // it keeps no pods away from a node that works (B-26)
      taintField.invalid("must not be set, because the condition is degraded");
    }
    keys.rejectUnknown(Severity.WARNING, IGNORED);
    return new ConditionSpec(
        type == null ? "" : type,
        reason == null ? "" : reason,
        message,
        holdFor,
        flapCount,
        flapWindow,
        taint);
  }

  /** The consequence of a rule; null if it is invalid. */
  @Nullable Consequence consequence(Fields keys) {
    Field typeField = keys.field("type");
    if (!typeField.isPresent()) {
      typeField.required("temporary or permanent");
    }
    String type = FieldRules.oneOf(typeField, TYPES);
    String reason = FieldRules.requiredText(keys.field("reason"), "one word in UpperCamelCase");
    Field conditionField = keys.field("condition");
    String condition = conditionField.text("");
    EvidenceThreshold threshold = threshold(keys);
    if (type == null || reason == null) {
      return null;
    }
    if (type.equals(TEMPORARY)) {
      return new Consequence.EventOnly(reason, threshold);
    }
    if (condition.isEmpty()) {
      conditionField.required("one of the types in conditions");
    } else if (conditions.stream().noneMatch(spec -> spec.type().equals(condition))) {
      conditionField.invalid("must be one of the types in conditions");
    }
    return new Consequence.OnCondition(condition, reason, threshold);
  }

  private static EvidenceThreshold threshold(Fields keys) {
    int minCount = FieldRules.atLeast(keys.field("minCount"), 1, 1);
    Field windowField = keys.field("window");
    Duration window = MonitorValues.duration(windowField, Duration.ZERO);
    Duration debounce = MonitorValues.duration(keys.field("debounce"), Duration.ZERO);
    Duration clearAfter = MonitorValues.duration(keys.field("clearAfter"));
    if (minCount > 1 && window.isZero()) {
      windowField.required("must be above zero when minCount is above 1, such as 10m");
      return EvidenceThreshold.NONE;
    }
    return new EvidenceThreshold(minCount, window, debounce, clearAfter);
  }
}
