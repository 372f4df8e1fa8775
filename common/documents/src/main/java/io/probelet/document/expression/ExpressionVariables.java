package io.probelet.document.expression;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The variables that the expressions of one place may read. Make it once and keep it: the first
 * expression prepares what all others share.
 */
public final class ExpressionVariables {
  private final Map<String, ExpressionType> types;
  private @Nullable CelEnvironment environment;

  /**
   * Declares the variables.
   *
   * @param types by name
   */
  public ExpressionVariables(Map<String, ExpressionType> types) {
    this.types = new TreeMap<>(types);
  }

  /** {@return their names} */
  public Set<String> names() {
    return types.keySet();
  }

  Map<String, ExpressionType> types() {
    return types;
  }

  /** Prepared when needed, because only this loads CEL's library. */
  synchronized CelEnvironment environment() {
    CelEnvironment known = environment;
    if (known == null) {
      known = new CelEnvironment(this);
      environment = known;
    }
    return known;
  }
}
