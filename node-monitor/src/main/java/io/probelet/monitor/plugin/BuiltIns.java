package io.probelet.monitor.plugin;

import io.probelet.monitor.check.Machine;
import io.probelet.monitor.check.NodeCheck;
import io.probelet.monitor.journal.JournalAccess;
import io.probelet.monitor.rule.Monitor.PluginRule;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Built-in replacements of node-problem-detector's own plugins, where those are not installed
 * (A-9).
 *
 * @param environment the variables of this process, which built-in plugins may use
 */
public record BuiltIns(
    Machine machine,
    JournalAccess journal,
    Supplier<Instant> boot,
    Map<String, String> environment) {
  private static final String HEALTH_CHECKER = "/health-checker";
  private static final String LOG_COUNTER = "/log-counter";

  /** Keeps an unmodifiable copy of the variables. */
  public BuiltIns {
    environment = Map.copyOf(environment);
  }

  /**
   * Finds the replacement of a plugin.
   *
   * @param rule the plugin, which does not exist
   * @return the replacement; empty if the plugin is unknown
   * @throws IllegalArgumentException if the plugin is known but its arguments are invalid
   */
  Optional<NodeCheck> of(PluginRule rule) {
    if (rule.path().endsWith(HEALTH_CHECKER)) {
      return Optional.of(HealthChecker.of(rule.args(), rule.timeout(), this));
    }
    return rule.path().endsWith(LOG_COUNTER)
        ? Optional.of(LogCounter.of(rule.args(), rule.timeout(), this))
        : Optional.empty();
  }
}
