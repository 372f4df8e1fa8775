package io.probelet.agent.node;

import io.probelet.monitor.check.Machine;
import io.probelet.monitor.check.NodeChecks;
import io.probelet.monitor.rule.DefaultMonitors;
import io.probelet.monitor.rule.Monitor;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Which monitors a user wants.
 *
 * @param files files and folders of monitors
 * @param defaults the machine for which comes besides what of the built-in monitors makes sense
 *     there; empty for nothing besides
 */
public record MonitorChoice(List<Path> files, Optional<Machine> defaults) {
  /** Keeps an unmodifiable copy of the list. */
  public MonitorChoice {
    files = List.copyOf(files);
  }

  /** Adds to the monitors of the files what is built in, if that is wanted. */
  List<Monitor> complete(List<Monitor> ofFiles) {
    return defaults
        .map(machine -> DefaultMonitors.with(ofFiles, spec -> NodeChecks.makesSense(spec, machine)))
        .orElse(ofFiles);
  }
}
