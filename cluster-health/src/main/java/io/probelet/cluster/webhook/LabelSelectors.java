package io.probelet.cluster.webhook;

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What label selectors select, as the API server reads them (CH-32). */
final class LabelSelectors {

  private LabelSelectors() {}

  /**
   * Null and empty selectors select everything. So does, to be on the safe side, one the API server
   * would refuse.
   */
  static boolean selects(@Nullable LabelSelector selector, Map<String, String> labels) {
    return selector == null || !isValid(selector) || holds(selector, labels);
  }

  static boolean isValid(@Nullable LabelSelector selector) {
    return selector == null
        || selector.getMatchExpressions().stream().allMatch(LabelSelectors::isValid);
  }

  /** The selector, narrowed to what does not carry this label with this value. */
  static LabelSelector excluding(@Nullable LabelSelector selector, String key, String value) {
    if (selector != null
        && selector.getMatchExpressions().stream().anyMatch(r -> excludes(r, key, value))) {
      return selector;
    }
    LabelSelectorBuilder narrowed =
        selector == null ? new LabelSelectorBuilder() : new LabelSelectorBuilder(selector);
    return narrowed
        .addNewMatchExpression()
        .withKey(key)
        .withOperator("NotIn")
        .withValues(value)
        .endMatchExpression()
        .build();
  }

  private static boolean excludes(LabelSelectorRequirement r, String key, String value) {
    return key.equals(r.getKey())
        && "NotIn".equals(r.getOperator())
        && r.getValues().contains(value);
  }

  private static boolean isValid(LabelSelectorRequirement requirement) {
    boolean values = !requirement.getValues().isEmpty();
    return switch (String.valueOf(requirement.getOperator())) {
      case "In", "NotIn" -> values;
      case "Exists", "DoesNotExist" -> !values;
      default -> false;
    };
  }

  private static boolean holds(LabelSelector selector, Map<String, String> labels) {
    Map<String, String> wanted = selector.getMatchLabels();
    return (wanted == null || labels.entrySet().containsAll(wanted.entrySet()))
        && selector.getMatchExpressions().stream().allMatch(r -> holds(r, labels));
  }

  private static boolean holds(LabelSelectorRequirement requirement, Map<String, String> labels) {
    String value = labels.get(requirement.getKey());
    List<String> values = requirement.getValues();
    return switch (requirement.getOperator()) {
      case "In" -> value != null && values.contains(value);
      case "NotIn" -> value == null || !values.contains(value);
      case "Exists" -> value != null;
      case "DoesNotExist" -> value == null;
      default -> throw new IllegalStateException("checked before: " + requirement);
    };
  }
}
