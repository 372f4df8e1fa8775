package io.probelet.monitor.rule;

import java.time.Duration;
import java.util.List;

/**
 * A program whose exit code is an opinion.
 *
 * @param consequence what follows when it exits with 1
 * @param path the program
 * @param args its arguments
 * @param timeout how long it may take, above zero
 * @param interval from one start to the next, above zero
 * @param process as whom it runs, and which variables it sees
 */
public record PluginRule(
    Consequence consequence,
    String path,
    List<String> args,
    Duration timeout,
    Duration interval,
    PluginProcess process) {
  /** Keeps an unmodifiable copy of the arguments. */
  public PluginRule {
    args = List.copyOf(args);
  }
}
