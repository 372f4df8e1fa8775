package io.probelet.simulation.rules;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How often each rule was checked, and the first rule that was broken. */
public final class Findings {
  private final Map<String, Long> checks = new TreeMap<>();
  private @Nullable Broken broken;

  /**
   * A rule that did not hold.
   *
   * @param rule its name
   * @param reason why it must hold
   * @param at when it was found, in nanoseconds since the beginning
   * @param what was found
   */
  public record Broken(String rule, String reason, long at, String what) {}

  /**
   * Counts a check.
   *
   * @param rule which one
   * @param at the moment
   * @param holds whether it holds
   * @param what was found; asked for only if it does not hold
   */
  public void check(Rule rule, long at, boolean holds, Supplier<String> what) {
    checks.merge(rule.name(), 1L, Long::sum);
    if (!holds && broken == null) {
      broken = new Broken(rule.name(), rule.reason(), at, what.get());
    }
  }

  /** {@return the first rule that was broken} */
  public Optional<Broken> broken() {
    return Optional.ofNullable(broken);
  }

  /** {@return the number of checks by rule} */
  public Map<String, Long> checks() {
    return new TreeMap<>(checks);
  }
}
