package io.probelet.nodehealth.resource;

import io.probelet.nodehealth.resource.LabelSelector.Operator;
import io.probelet.nodehealth.resource.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads a label selector. */
final class SelectorReader {
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
  private static final Pattern PREFIX =
      Pattern.compile(
          "(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  private static final Map<String, Operator> OPERATORS =
      Map.of(
          "In", Operator.IN,
          "NotIn", Operator.NOT_IN,
          "Exists", Operator.EXISTS,
          "DoesNotExist", Operator.DOES_NOT_EXIST);

  private SelectorReader() {}

  static LabelSelector read(JsonField selector) {
    if (!selector.isObject()) {
      return LabelSelector.EVERYTHING;
    }
    selector.rejectUnknown(Set.of("matchLabels", "matchExpressions"));
    Map<String, String> labels = new HashMap<>();
    JsonField matchLabels = selector.at("matchLabels");
    for (String key : matchLabels.names()) {
      JsonField label = matchLabels.keyed(key);
      checkKey(label, key);
      String value = label.text();
      if (value != null) {
        checkValue(label, value);
        labels.put(key, value);
      } else if (!label.isPresent()) {
        label.invalid("must be a string");
      }
    }
    List<Requirement> requirements = new ArrayList<>();
    for (JsonField expression : selector.at("matchExpressions").items()) {
      Requirement requirement = requirement(expression);
      if (requirement != null) {
        requirements.add(requirement);
      }
    }
    return new LabelSelector(labels, requirements);
  }

  private static @Nullable Requirement requirement(JsonField expression) {
    if (!expression.isObject()) {
      return null;
    }
    expression.rejectUnknown(Set.of("key", "operator", "values"));
    JsonField keyField = expression.at("key");
    String key = keyField.requiredText("the label's name");
    if (key != null) {
      checkKey(keyField, key);
    }
    JsonField operatorField = expression.at("operator");
    String word = operatorField.requiredText("In, NotIn, Exists or DoesNotExist");
    Operator operator = word == null ? null : OPERATORS.get(word);
    if (word != null && operator == null) {
      operatorField.invalid("must be In, NotIn, Exists or DoesNotExist");
    }
    JsonField valuesField = expression.at("values");
    List<String> values = valuesField.texts();
    values.forEach(value -> checkValue(valuesField, value));
    if (operator == Operator.IN || operator == Operator.NOT_IN) {
      if (values.isEmpty()) {
        valuesField.required("must not be empty with In and NotIn");
      }
    } else if (operator != null && !values.isEmpty()) {
      valuesField.forbidden("may not be used with Exists and DoesNotExist");
    }
    return key == null || operator == null ? null : new Requirement(key, operator, values);
  }

  private static void checkKey(JsonField field, String key) {
    int slash = key.indexOf('/');
    boolean prefixed = slash < 0 || PREFIX.matcher(key.substring(0, slash)).matches();
    if (!prefixed || !NAME.matcher(key.substring(slash + 1)).matches()) {
      field.forbidden("\"" + key + "\" is not a label's name, such as example.io/pool");
    }
  }

  private static void checkValue(JsonField field, String value) {
    if (!value.isEmpty() && !NAME.matcher(value).matches()) {
      field.invalid(
          "must be a label's value: at most 63 letters, digits, '-', '_' and '.', and begin and"
              + " end with a letter or digit");
    }
  }
}
