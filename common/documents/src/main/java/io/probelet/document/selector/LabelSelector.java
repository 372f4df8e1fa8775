package io.probelet.document.selector;

import io.probelet.document.name.LabelValue;
import io.probelet.document.name.QualifiedName;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Selects objects by their labels; all requirements must hold, and an empty selector selects
 * everything. Selectors that the API server would reject cannot be created.
 *
 * @param matchLabels labels that must have exactly these values
 */
public record LabelSelector(Map<String, String> matchLabels, List<Requirement> matchExpressions) {
  /** Selects everything. */
  public static final LabelSelector EVERYTHING = new LabelSelector(Map.of(), List.of());

  /**
   * Checks labels and expressions, and keeps unmodifiable copies.
   *
   * @throws IllegalArgumentException if a label's key or value is invalid
   */
  public LabelSelector {
    matchLabels = Map.copyOf(matchLabels);
    matchExpressions = List.copyOf(matchExpressions);
    matchLabels.forEach((key, value) -> {
      checkKey(key);
      checkValue(value);
    });
  }

  /** The operator of a requirement. */
  public enum Operator {
    /** The label is present and has one of the values. */
    IN("In"),
    /** The label is absent or has none of the values. */
    NOT_IN("NotIn"),
    /** The label is present. */
    EXISTS("Exists"),
    /** The label is absent. */
    DOES_NOT_EXIST("DoesNotExist");

    private final String word;

    Operator(String word) {
      this.word = word;
    }

    /** {@return whether it requires values; the others test presence only} */
    public boolean takesValues() {
      return this == IN || this == NOT_IN;
    }

    /**
     * {@return the operator of that word, empty if there is none}
     *
     * @param word any text
     */
    public static Optional<Operator> of(String word) {
      return Arrays.stream(values()).filter(operator -> operator.word.equals(word)).findFirst();
    }

    /** {@return its name in resources} */
    @Override
    public String toString() {
      return word;
    }
  }

  /**
   * One requirement.
   *
   * @param values the values to compare with; empty for the two operators that test presence only
   */
  public record Requirement(String key, Operator operator, List<String> values) {
    /**
     * Checks key and values, and keeps an unmodifiable copy of the values.
     *
     * @throws IllegalArgumentException if key or a value is invalid, or if the operator does not
     *     match the presence of values
     */
    public Requirement {
      values = List.copyOf(values);
      checkKey(key);
      values.forEach(LabelSelector::checkValue);
      if (values.isEmpty() == operator.takesValues()) {
        throw new IllegalArgumentException(
            "operator " + operator + " does not allow the values " + values);
      }
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

    private String query() {
      return switch (operator) {
        case IN -> key + " in (" + String.join(",", values) + ")";
        case NOT_IN -> key + " notin (" + String.join(",", values) + ")";
        case EXISTS -> key;
        case DOES_NOT_EXIST -> "!" + key;
      };
    }
  }

  private static void checkKey(String key) {
    if (!QualifiedName.isValid(key)) {
      throw new IllegalArgumentException("the label \"" + key + "\" " + QualifiedName.RULE);
    }
  }

  private static void checkValue(String value) {
    if (!LabelValue.isValid(value)) {
      throw new IllegalArgumentException("the value \"" + value + "\" " + LabelValue.RULE);
    }
  }

  /** {@return whether nothing is required} */
  public boolean isEmpty() {
    return matchLabels.isEmpty() && matchExpressions.isEmpty();
  }

  /**
   * Decides whether an object is selected.
   *
   * @return true if every requirement holds
   */
  public boolean matches(Map<String, String> labels) {
    // Looks up by key: searching the entries would compare each of them (benchmarks/run
    // remediation).
    for (Map.Entry<String, String> required : matchLabels.entrySet()) {
      if (!required.getValue().equals(labels.get(required.getKey()))) {
        return false;
      }
    }
    for (Requirement requirement : matchExpressions) {
      if (!requirement.holdsFor(labels)) {
        return false;
      }
    }
    return true;
  }

  /** {@return the selector in the format of list requests; empty if it selects everything} */
  public String query() {
    return Stream.concat(
            new TreeMap<>(matchLabels).entrySet().stream().map(Object::toString),
            matchExpressions.stream().map(Requirement::query))
        .collect(Collectors.joining(","));
  }
}
