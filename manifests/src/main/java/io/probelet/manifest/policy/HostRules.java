package io.probelet.manifest.policy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hosts that probes may go to.
 *
 * @param rules one that allows a host is enough
 */
public record HostRules(List<HostRule> rules) {
  /** Nothing but the pod itself. */
  public static final HostRules OWN = new HostRules(List.of(new HostRule.Own()));

  /** Everything. */
  public static final HostRules ANY =
      new HostRules(List.of(new HostRule.Own(), new HostRule.Any()));

  /** Keeps an unmodifiable copy of the rules. */
  public HostRules {
    rules = List.copyOf(rules);
  }

  /**
   * {@return whether a probe may go to a host}
   *
   * @param host as the probe names it; null or empty means the pod's own address
   */
  public boolean allow(@Nullable String host) {
    if (host == null || host.isEmpty()) {
      return rules.contains(new HostRule.Own());
    }
    return rules.stream().anyMatch(rule -> rule.allows(host));
  }

  /** {@return what is allowed, for who asked for more} */
  public String words() {
    return equals(OWN)
        ? "the pod's own address, which is meant without one"
        : "the pod's own address and those listed";
  }
}
