package io.probelet.monitor.node;

import io.probelet.monitor.check.NodeCheck;
import io.probelet.monitor.plugin.PluginResult;
import io.probelet.monitor.rule.CheckSpec;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.source.LineSource;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;

/** What a monitor reads of a node: logs, checks and plugins. */
public interface NodeSources {
  /** {@return the current boot, with the moment of its begin by the current wall clock} */
  Boot boot();

  /** {@return where the kernel shows its control groups, as {@code /sys}} */
  Path sys();

  /** {@return the zone of log times without a zone} */
  ZoneId zone();

  /**
   * Opens a log.
   *
   * @param notBefore older lines do not count
   * @param position of an earlier reader; empty if there is none
   */
  LineSource log(Monitor.Log log, Instant notBefore, String position);

  /** {@return a check, which has not run yet} */
  NodeCheck check(CheckSpec spec);

  /**
   * Runs a plugin and waits for its end, or its timeout.
   *
   * @param maxOutputLength bytes of output that become the message, 1 or more
   * @throws InterruptedException if the calling thread was interrupted; the plugin was killed
   */
  PluginResult run(Monitor.PluginRule rule, int maxOutputLength) throws InterruptedException;
}
