package io.probelet.nodehealth.resource;

import java.util.List;
import java.util.Map;

/**
 * Selects objects by their labels; all requirements must hold, and none at all selects everything.
 *
 * @param matchLabels labels that must have exactly these values
 * @param matchExpressions further requirements
 */
public record LabelSelector(Map<String, String> matchLabels, List<Requirement> matchExpressions) {
  /** Selects everything. */
  public static final LabelSelector EVERYTHING = new LabelSelector(Map.of(), List.of());

  /** Copies both. */
  public LabelSelector {
    matchLabels = Map.copyOf(matchLabels);
    matchExpressions = List.copyOf(matchExpressions);
  }

  /** How a requirement compares. */
  public enum Operator {
    /** The label is there and has one of the values. */
    IN,
    /** The label is absent or has none of the values. */
    NOT_IN,
    /** The label is there. */
    EXISTS,
    /** The label is absent. */
    DOES_NOT_EXIST
  }

  /**
   * One requirement.
   *
   * @param key the label
   * @param operator how to compare
   * @param values what with; empty for the two operators that ask for presence only
   */
  public record Requirement(String key, Operator operator, List<String> values) {
    /** Copies the values. */
    public Requirement {
      values = List.copyOf(values);
    }

    boolean holdsFor(Map<String, String> labels) {
      String value = labels.get(key);
      return switch (operator) {
        case IN -> value != null && values.contains(value);
        case NOT_IN -> value == null || !values.contains(value);
        case EXISTS -> value != null;
        case DOES_NOT_EXIST -> value == null;
      };
    }
  }

  /** {@return whether nothing is required} */
  public boolean isEmpty() {
    return matchLabels.isEmpty() && matchExpressions.isEmpty();
  }

  /**
   * Tells whether an object is selected.
   *
   * @param labels the object's labels
   * @return true if every requirement holds
   */
  public boolean matches(Map<String, String> labels) {
    return labels.entrySet().containsAll(matchLabels.entrySet())
        && matchExpressions.stream().allMatch(requirement -> requirement.holdsFor(labels));
  }
}
