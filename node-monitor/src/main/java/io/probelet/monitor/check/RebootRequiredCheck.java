package io.probelet.monitor.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
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
    IOException hidden = null;
    for (Path file : files) {
      try {
        if (isThere(file)) {
          return new NodeCheckResult.Problem(file + " is there");
        }
      } catch (IOException unseen) { // another file may say it
        hidden = unseen;
      }
    }
    if (hidden != null) {
      throw hidden;
    }
    return NodeCheckResult.OK;
  }

  /**
   * Where the folder is not there or may not be searched, a file that is not found means nothing.
   */
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
