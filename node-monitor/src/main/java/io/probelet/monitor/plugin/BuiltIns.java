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
 * Takes the place of node-problem-detector's own plugins where they are not installed.
 *
 * @param environment the variables of this program: what is built in goes by them, and of what is
 *     not only some are passed on
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
   * Finds what takes the place of a plugin.
   *
   * @param rule the plugin, which does not exist
   * @return what to do instead; empty if it is none of those we know
   * @throws IllegalArgumentException if it is, but has arguments we do not know
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
