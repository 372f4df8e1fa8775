package io.probelet.manifest.policy;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The hosts that probes may target.
 *
 * @param rules one matching rule is enough
 */
public record HostRules(List<HostRule> rules) {
  /** Only the pod itself. */
  public static final HostRules OWN = new HostRules(List.of(new HostRule.Own()));

  /** Everything. */
  public static final HostRules ANY =
      new HostRules(List.of(new HostRule.Own(), new HostRule.Any()));

  /** Keeps an unmodifiable copy of the rules. */
  public HostRules {
    rules = List.copyOf(rules);
  }

  /**
   * {@return whether a probe may target a host}
   *
   * @param host as the probe names it; null or empty means the pod's own address
   */
  public boolean allow(@Nullable String host) {
    if (host == null || host.isEmpty()) {
      return rules.contains(new HostRule.Own());
    }
    return rules.stream().anyMatch(rule -> rule.allows(host));
  }

  /** {@return a description of the allowed hosts, for error messages} */
  public String words() {
    return equals(OWN)
        ? "the pod's own address (without host)"
        : "the pod's own address and the listed hosts";
  }
}
