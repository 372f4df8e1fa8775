package io.probelet.monitor.plugin;

import io.probelet.health.ConditionStatus;

/** What one run of a plugin came to. */
public sealed interface PluginResult {
  /**
   * It ended by itself, or was ended.
   *
   * @param status False for no problem, True for one, Unknown for everything else
   * @param timedOut whether it had to be killed
   */
  record Ran(ConditionStatus status, String message, boolean timedOut) implements PluginResult {}

  /** Its file is there and may not be run: its monitor is mistaken, and nothing is missing. */
  record NotExecutable(String why) implements PluginResult {}

  /** It could not be started. */
  record NotRun(String why) implements PluginResult {}
}
