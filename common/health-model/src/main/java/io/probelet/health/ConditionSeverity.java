package io.probelet.health;

/**
 * How bad a node's condition is while it is True (B-26). Its type says so: a name that programs
 * read, where a reason or a message is for people.
 */
public enum ConditionSeverity {
  /** The node may be unusable. */
  CRITICAL("critical"),
  /** The node works, but less well: nothing is drained or remediated because of it by default. */
  DEGRADED("degraded");

  /** The beginning of the types of degraded conditions. */
  public static final String DEGRADED_PREFIX = "degraded.probelet.io/";

  private final String label;

  ConditionSeverity(String label) {
    this.label = label;
  }

  /**
   * Returns the severity of a condition.
   *
   * @param type its type, such as {@code ReadonlyFilesystem} or {@code
   *     degraded.probelet.io/DiskSlow}
   * @return degraded if the type begins with {@link #DEGRADED_PREFIX}, else critical
   */
  public static ConditionSeverity of(String type) {
    return type.startsWith(DEGRADED_PREFIX) ? DEGRADED : CRITICAL;
  }

  /** {@return its name in expressions} */
  @Override
  public String toString() {
    return label;
  }
}
