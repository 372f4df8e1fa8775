package io.probelet.nodehealth.readiness;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.document.field.ApiObject;
import io.probelet.document.field.Complaint;
import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.name.DnsName;
import io.probelet.document.name.LabelValue;
import io.probelet.document.name.QualifiedName;
import io.probelet.document.selector.LabelSelector;
import io.probelet.document.selector.LabelSelectorReader;
import io.probelet.health.OneLine;
import io.probelet.nodehealth.readiness.ReadinessSpec.Requirement;
import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads NodeReadinessRules with the rules of the original's definition and webhook (NRR-10): for
 * {@code probelet validate}, and in a cluster, whose webhook may not be installed.
 */
public final class ReadinessRuleReader {
  private static final int MAX_TYPE_CHARS = 316;
  private static final int MAX_REFUSAL_CHARS = 500;
  private static final String BOOTSTRAP_ONLY = "bootstrap-only";
  private static final String ANY_OF = "anyOf";
  private static final List<String> STATUSES = List.of("True", "False", ReadinessSpec.UNKNOWN);
  private static final List<String> MODES = List.of(BOOTSTRAP_ONLY, "continuous");
  private static final List<String> POLICIES = List.of("allOf", ANY_OF);
  private static final List<String> EFFECTS =
      List.of("NoSchedule", "PreferNoSchedule", ReadinessSpec.NO_EXECUTE);

  private ReadinessRuleReader() {}

  /**
   * Reads a rule of a cluster.
   *
   * @return the rule; without a spec if that is invalid
   */
  public static NodeReadinessRule read(JsonNode resource) {
    Problems problems = Problems.ofObject(NodeReadinessRule.KIND);
    Fields object = ApiObject.read(resource, problems).object();
    ReadinessSpec spec = object == null ? null : spec(object.field("spec"), Severity.ERROR);
    JsonNode metadata = resource.path("metadata");
    List<String> finalizers = new ArrayList<>();
    metadata.path("finalizers").forEach(each -> finalizers.add(each.asText()));
    return new NodeReadinessRule(
        metadata.path("name").asText(),
        metadata.path("uid").asText(),
        metadata.path("resourceVersion").asText(),
        Math.max(1, metadata.path("generation").asLong()),
        metadata.path("deletionTimestamp").isTextual(),
        finalizers,
        taint(resource.at("/spec/taint")),
        problems.errors() == 0 ? spec : null,
        OneLine.of(problems.errorText(), MAX_REFUSAL_CHARS));
  }

  /** The taint of a rule that may be invalid; null if it has none that a rule can have. */
  private static @Nullable NodeTaint taint(JsonNode taint) {
    NodeTaint read = NodeTaint.of(taint);
    return isKey(read.key()) && EFFECTS.contains(read.effect()) ? read : null;
  }

  /** Reads a rule of a file; its problems are added to the file's. */
  public static void read(Fields object) {
    object.field("kind");
    FieldRules.exactly(object.field("apiVersion"), NodeReadinessRule.API_VERSION);
    Fields metadata = object.field("metadata").objectOrEmpty();
    if (metadata != null) {
      DnsName.ofObject(metadata.field("name"));
    }
    ReadinessSpec spec = spec(object.field("spec"), Severity.WARNING);
    if (spec != null) {
      spec.evictionWarning().ifPresent(object.field("spec")::warning);
    }
    object.rejectUnknown(Set.of("status"));
  }

  /**
   * Reads a spec.
   *
   * @param unknown the severity of an unknown field: a later definition may have one that changes
   *     which nodes are ready
   */
  private static @Nullable ReadinessSpec spec(Field field, Severity unknown) {
    if (!field.isPresent()) {
      field.required("conditions, enforcementMode, taint and nodeSelector");
    }
    Fields spec = field.object();
    if (spec == null) {
      return null;
    }
    int errors = field.errors();
    boolean bootstrapOnly = isWord(spec.field("enforcementMode"), MODES, BOOTSTRAP_ONLY, true);
    Field policy = spec.field("conditionPolicy");
    boolean anyOf = isWord(policy, POLICIES, ANY_OF, false);
    if (anyOf && bootstrapOnly) {
      policy.forbidden("anyOf may not be used with enforcementMode bootstrap-only");
    }
    List<Requirement> conditions = conditions(spec.field("conditions"), bootstrapOnly, unknown);
    NodeTaint taint = taint(spec.field("taint"), unknown);
    LabelSelector selector = selector(spec.field("nodeSelector"));
    boolean dryRun = spec.field("dryRun").bool(false);
    spec.rejectUnknown(unknown, "unknown field");
    return field.errors() != errors || taint == null || selector == null
        ? null
        : new ReadinessSpec(conditions, anyOf, bootstrapOnly, taint, selector, dryRun);
  }

  private static boolean isWord(Field field, List<String> words, String word, boolean required) {
    if (required && !field.isPresent()) {
      field.required("one of " + String.join(" and ", words));
    }
    return word.equals(FieldRules.oneOf(field, words));
  }

  private static List<Requirement> conditions(Field list, boolean bootstrapOnly, Severity unknown) {
    if (list.isEmpty()) {
      list.required("the conditions that a node needs, such as [{type, requiredStatus}]");
    }
    List<Fields> items = FieldRules.objects(list);
    if (items.size() > ReadinessSpec.MAX_CONDITIONS) {
      list.error(
          "Too many: %d: must have at most %d items"
              .formatted(items.size(), ReadinessSpec.MAX_CONDITIONS));
      return List.of();
    }
    Set<String> types = new HashSet<>();
    List<Requirement> conditions = new ArrayList<>();
    for (Fields item : items) {
      Requirement read = condition(item, bootstrapOnly);
      item.rejectUnknown(unknown, "unknown field");
      if (read != null && !types.add(read.type())) {
        item.self()
            .error(
                Complaint.DUPLICATE_VALUE,
                "Duplicate value: " + read.type() + " is already listed");
      } else if (read != null) {
        conditions.add(read);
      }
    }
    return conditions;
  }

  private static @Nullable Requirement condition(Fields item, boolean bootstrapOnly) {
    Field typeField = item.field("type");
    String type = FieldRules.requiredText(typeField, "the node condition's type");
    if (type != null && type.length() > MAX_TYPE_CHARS) {
      typeField.error(
          Complaint.TOO_LONG, "Too long: must be no more than " + MAX_TYPE_CHARS + " characters");
    }
    Field requiredField = item.field("requiredStatus");
    if (!requiredField.isPresent()) {
      requiredField.required("True, False or Unknown");
    }
    String required = FieldRules.oneOf(requiredField, STATUSES);
    Field defaultField = item.field("defaultStatus");
    String otherwise = FieldRules.oneOf(defaultField, STATUSES);
    if (defaultField.isPresent() && bootstrapOnly) {
      defaultField.forbidden("may not be used with enforcementMode bootstrap-only");
    }
    return type == null || required == null
        ? null
        : new Requirement(type, required, otherwise == null ? ReadinessSpec.UNKNOWN : otherwise);
  }

  private static @Nullable NodeTaint taint(Field field, Severity unknown) {
    if (!field.isPresent()) {
      field.required("the taint of nodes that lack conditions, as {key, effect}");
    }
    Fields taint = field.object();
    if (taint == null) {
      return null;
    }
    Field keyField = taint.field("key");
    String key = FieldRules.requiredText(keyField, "such as readiness.k8s.io/network");
    if (key != null && !isKey(key)) {
      keyField.invalid("must be readiness.k8s.io/ and a name of at most 63 characters");
    }
    Field valueField = taint.field("value");
    String value = valueField.text("");
    if (!LabelValue.isValid(value)) {
      valueField.invalid(LabelValue.RULE);
    }
    Field effectField = taint.field("effect");
    if (!effectField.isPresent()) {
      effectField.required(String.join(", ", EFFECTS));
    }
    String effect = FieldRules.oneOf(effectField, EFFECTS);
    taint.field("timeAdded"); // a field of every taint, which has no effect here
    taint.rejectUnknown(unknown, "unknown field");
    return key == null || effect == null ? null : new NodeTaint(key, value, effect);
  }

  private static boolean isKey(String key) {
    return key.startsWith(NodeReadinessRule.TAINT_PREFIX) && QualifiedName.isValid(key);
  }

  private static @Nullable LabelSelector selector(Field field) {
    int errors = field.errors();
    LabelSelector selector = LabelSelectorReader.read(field);
    if ((selector == null || selector.isEmpty()) && field.errors() == errors) {
      field.required("the nodes of the rule, as matchLabels or matchExpressions");
    }
    return selector;
  }
}
