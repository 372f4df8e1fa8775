package io.probelet.monitor.plugin;

import io.probelet.health.ConditionStatus;

/** The result of one run of a plugin. */
public sealed interface PluginResult {
  /**
   * It exited or was killed.
   *
   * @param status False for no problem, True for one, Unknown for everything else
   * @param timedOut whether it had to be killed
   */
  record Ran(ConditionStatus status, String message, boolean timedOut) implements PluginResult {}

  /**
   * Its file exists but is not executable: a mistake in the monitor, not a missing prerequisite.
   */
  record NotExecutable(String why) implements PluginResult {}

  /** It could not be started. */
  record NotRun(String why) implements PluginResult {}
}
