package io.probelet.monitor.rule;

import io.probelet.document.expression.CompiledExpression;
import io.probelet.document.expression.ExpressionException;
import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem.Severity;
import io.probelet.monitor.rule.Consequence.EvidenceThreshold;
import io.probelet.monitor.rule.Consequence.OnCondition;
import io.probelet.monitor.rule.Monitor.ExpressionRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads files of expressions (B-25). Their format is ours alone, so unknown keys are errors. */
final class ExpressionMonitorReader {
  static final String SOURCE = "node-expressions";

  /** They are evaluated one after another on the loop of all evidence. */
  private static final int MAX_RULES = 32;

  /** The API server's limit for the message of an Event. */
  private static final int MAX_MESSAGE = 1_024;

  private ExpressionMonitorReader() {}

  static Monitor read(Fields monitor) {
    CommonReader common = CommonReader.of(monitor, monitor.field("source").text(SOURCE));
    Set<String> own =
        common.conditions().stream().map(ConditionSpec::type).collect(Collectors.toSet());
    List<ExpressionRule> rules = new ArrayList<>();
    Field field = monitor.field("rules");
    List<Fields> items = FieldRules.objects(field);
    if (items.isEmpty()) {
      field.required("nothing sets a condition without a rule");
    } else if (items.size() > MAX_RULES) {
      field.error("must have at most %d entries, found %d".formatted(MAX_RULES, items.size()));
    } else {
      items.forEach(item -> {
        ExpressionRule rule = rule(item, own);
        if (rule != null) {
          rules.add(rule);
        }
      });
    }
    monitor.rejectUnknown(
        Severity.ERROR,
        "unknown field; allowed: plugin, source, metricsReporting, conditions, rules");
    return new Monitor.Expressions(
        common.source(), common.metricsReporting(), common.conditions(), rules);
  }

  private static @Nullable ExpressionRule rule(Fields rule, Set<String> own) {
    Field conditionField = rule.field("condition");
    String condition = FieldRules.requiredText(conditionField, "one of the types in conditions");
    if (condition != null && !own.contains(condition)) {
      conditionField.invalid("must be one of the types in conditions");
    }
    String reason = FieldRules.requiredText(rule.field("reason"), "one word in UpperCamelCase");
    Field messageField = rule.field("message");
    String message =
        FieldRules.requiredText(messageField, "what it means when the expression is true");
    if (message != null && message.length() > MAX_MESSAGE) {
      messageField.error(
          "must be at most %,d characters, found %,d".formatted(MAX_MESSAGE, message.length()));
    }
    CompiledExpression when = expression(rule.field("when"), own);
    rule.rejectUnknown(Severity.ERROR, "unknown field; allowed: condition, reason, message, when");
    return condition == null || reason == null || message == null || when == null
        ? null
        : new ExpressionRule(
            new OnCondition(condition, reason, EvidenceThreshold.NONE), when, message);
  }

  private static @Nullable CompiledExpression expression(Field field, Set<String> own) {
    if (FieldRules.requiredText(field, "an expression over conditions") == null) {
      return null;
    }
    CompiledExpression when = CompiledExpression.read(field, ConditionVariables.DECLARED);
    if (when == null) {
      return null;
    }
    try { // no cycle: what expressions set, they do not read
      when.rejectKeys(ConditionVariables.CONDITIONS, own, "an expression sets it");
      return when;
    } catch (ExpressionException cycle) {
      field.invalid(String.valueOf(cycle.getMessage()));
      return null;
    }
  }
}
