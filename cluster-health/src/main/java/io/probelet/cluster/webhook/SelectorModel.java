package io.probelet.cluster.webhook;

import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.probelet.document.selector.LabelSelector;
import io.probelet.document.selector.LabelSelector.Operator;
import io.probelet.document.selector.LabelSelector.Requirement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Label selectors in the client's model, which accepts invalid ones too. */
public final class SelectorModel {

  private SelectorModel() {}

  /**
   * Reads a selector.
   *
   * @return the selector; empty if the API server would reject it
   */
  public static Optional<LabelSelector> read(io.fabric8.kubernetes.api.model.LabelSelector model) {
    Map<String, String> labels = Objects.requireNonNullElse(model.getMatchLabels(), Map.of());
    if (labels.containsValue(null)) {
      return Optional.empty();
    }
    try {
      List<Requirement> requirements = new ArrayList<>();
      for (LabelSelectorRequirement requirement : model.getMatchExpressions()) {
        requirements.add(
            new Requirement(
                String.valueOf(requirement.getKey()),
                Operator.of(String.valueOf(requirement.getOperator()))
                    .orElseThrow(IllegalArgumentException::new),
                requirement.getValues().stream().map(String::valueOf).toList()));
      }
      return Optional.of(new LabelSelector(labels, requirements));
    } catch (IllegalArgumentException refused) {
      return Optional.empty();
    }
  }

  /**
   * Writes a selector.
   *
   * @param selector the selector; null if there is none
   */
  static io.fabric8.kubernetes.api.model.@Nullable LabelSelector write(
      @Nullable LabelSelector selector) {
    return selector == null
        ? null
        : new LabelSelectorBuilder()
            .withMatchLabels(selector.matchLabels())
            .withMatchExpressions(
                selector.matchExpressions().stream()
                    .map(each ->
                        new LabelSelectorRequirement(
                            each.key(), each.operator().toString(), each.values()))
                    .toList())
            .build();
  }

  /**
   * Null and empty selectors select everything. A selector that the API server would reject does
   * too, to be on the safe side (CH-32).
   */
  static boolean selects(
      io.fabric8.kubernetes.api.model.@Nullable LabelSelector model, Map<String, String> labels) {
    return model == null || read(model).map(selector -> selector.matches(labels)).orElse(true);
  }

  static boolean isValid(io.fabric8.kubernetes.api.model.@Nullable LabelSelector model) {
    return model == null || read(model).isPresent();
  }

  /** The selector with a requirement that excludes this label value. */
  static io.fabric8.kubernetes.api.model.LabelSelector excluding(
      io.fabric8.kubernetes.api.model.@Nullable LabelSelector model, String key, String value) {
    if (model != null
        && model.getMatchExpressions().stream().anyMatch(r -> excludes(r, key, value))) {
      return model;
    }
    LabelSelectorBuilder narrowed =
        model == null ? new LabelSelectorBuilder() : new LabelSelectorBuilder(model);
    return narrowed
        .addNewMatchExpression()
        .withKey(key)
        .withOperator(Operator.NOT_IN.toString())
        .withValues(value)
        .endMatchExpression()
        .build();
  }

  private static boolean excludes(LabelSelectorRequirement r, String key, String value) {
    return key.equals(r.getKey())
        && Operator.NOT_IN.toString().equals(r.getOperator())
        && r.getValues().contains(value);
  }
}
