package io.probelet.agent.node;

import io.probelet.monitor.rule.DefaultMonitors;
import io.probelet.monitor.rule.Monitor;
import java.nio.file.Path;
import java.util.List;

/**
 * Which monitors a user wants.
 *
 * @param defaults whether there is besides what is built in
 */
public record MonitorChoice(List<Path> files, boolean defaults) {
  /** Keeps an unmodifiable copy of the list. */
  public MonitorChoice {
    files = List.copyOf(files);
  }

  /** Adds to the monitors of the files what is built in, if that is wanted. */
  List<Monitor> complete(List<Monitor> ofFiles) {
    return defaults ? DefaultMonitors.with(ofFiles) : ofFiles;
  }
}
