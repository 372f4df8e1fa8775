package io.probelet.document.selector;

import io.probelet.document.field.Complaint;
import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.name.LabelValue;
import io.probelet.document.name.QualifiedName;
import io.probelet.document.selector.LabelSelector.Operator;
import io.probelet.document.selector.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads label selectors, and rejects what the API server would reject. */
public final class LabelSelectorReader {
  private LabelSelectorReader() {}

  /**
   * Reads a selector; problems are added to its list.
   *
   * @return the selector; null when absent or invalid
   */
  public static @Nullable LabelSelector read(Field field) {
    int errors = field.errors();
    Fields selector = field.object();
    if (selector == null) {
      return null;
    }
    Map<String, String> labels = new HashMap<>();
    for (Field label : FieldRules.entries(selector.field("matchLabels"))) {
      checkKey(label, label.name());
      labels.put(label.name(), value(label));
    }
    List<Requirement> requirements = new ArrayList<>();
    for (Fields expression : FieldRules.objects(selector.field("matchExpressions"))) {
      Requirement requirement = requirement(expression);
      if (requirement != null) {
        requirements.add(requirement);
      }
    }
    selector.rejectUnknown(Set.of());
    return field.errors() == errors ? new LabelSelector(labels, requirements) : null;
  }

  private static @Nullable Requirement requirement(Fields expression) {
    int errors = expression.errors();
    Field keyField = expression.field("key");
    String key = FieldRules.requiredText(keyField, "the label's name");
    if (key != null) {
      checkKey(keyField, key);
    }
    Field operatorField = expression.field("operator");
    if (!operatorField.isPresent()) {
      operatorField.required("In, NotIn, Exists or DoesNotExist");
    }
    Operator operator = FieldRules.oneOf(operatorField, Operator.values());
    Field valuesField = expression.field("values");
    List<String> values = valuesField.items().stream().map(LabelSelectorReader::value).toList();
    if (operator != null && operator.takesValues() && values.isEmpty()) {
      valuesField.required("must not be empty with In and NotIn");
    } else if (operator != null && !operator.takesValues() && !values.isEmpty()) {
      valuesField.forbidden("may not be used with Exists and DoesNotExist");
    }
    expression.rejectUnknown(Set.of());
    return key == null || operator == null || expression.errors() != errors
        ? null
        : new Requirement(key, operator, values);
  }

  private static void checkKey(Field field, String key) {
    if (!QualifiedName.isValid(key)) {
      field.error(Complaint.INVALID_KEY, "Invalid key: " + QualifiedName.RULE);
    }
  }

  private static String value(Field field) {
    String value = field.text("");
    if (!field.isPresent()) {
      field.invalid("must be a string");
    } else if (!LabelValue.isValid(value)) {
      field.invalid(LabelValue.RULE);
    }
    return value;
  }
}
