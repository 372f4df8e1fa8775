package io.probelet.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** Finds programs as a shell does. */
public final class Programs {
  private Programs() {}

  /**
   * Finds a program.
   *
   * @param path folders with colons between them; those that are not absolute are passed over
   * @return its file in the first folder that has it; empty if none has one that we may run
   */
  public static Optional<Path> find(String name, String path) {
    return Arrays.stream(path.split(":", -1))
        .filter(folder -> folder.startsWith("/"))
        .map(folder -> Path.of(folder, name))
        .filter(Programs::isProgram)
        .findFirst();
  }

  static boolean isProgram(Path file) {
    return Files.isRegularFile(file) && Files.isExecutable(file);
  }
}
