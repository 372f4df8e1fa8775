package io.probelet.monitor.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Sees whether a package has left word that it takes a reboot. */
final class RebootRequiredCheck implements NodeCheck {
  private final List<Path> files;
  private final Machine machine;

  RebootRequiredCheck(List<Path> files, Machine machine) {
    this.files = files;
    this.machine = machine;
  }

  @Override
  public NodeCheckResult run() throws IOException {
    machine.demandFiles();
    for (Path file : files) {
      if (Files.exists(machine.seen(file))) {
        return new NodeCheckResult.Problem(file + " is there");
      }
    }
    return NodeCheckResult.OK;
  }
}
