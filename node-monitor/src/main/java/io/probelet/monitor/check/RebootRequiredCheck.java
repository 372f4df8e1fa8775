package io.probelet.monitor.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/** Checks whether an installed package requires a reboot. */
final class RebootRequiredCheck implements NodeCheck {
  private final List<Path> files;
  private final Machine machine;

  RebootRequiredCheck(List<Path> files, Machine machine) {
    this.files = files;
    this.machine = machine;
  }

  @Override
  public NodeCheckResult run() throws IOException {
    machine.requireNodeFiles();
    IOException hidden = null;
    for (Path file : files) {
      try {
        if (isThere(file)) {
          return new NodeCheckResult.Problem("reboot required: " + file + " exists");
        }
      } catch (IOException unseen) { // another file may exist
        hidden = unseen;
      }
    }
    if (hidden != null) {
      throw hidden;
    }
    return NodeCheckResult.OK;
  }

  /** If the folder does not exist or cannot be searched, a missing file is no evidence. */
  private boolean isThere(Path file) throws IOException {
    try {
      Files.readAttributes(machine.seen(file), BasicFileAttributes.class);
      return true;
    } catch (NoSuchFileException none) {
      Path folder = file.getParent();
      if (folder != null) {
        Files.readAttributes(machine.seen(folder), BasicFileAttributes.class);
      }
      return false;
    }
  }
}
