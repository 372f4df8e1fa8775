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
   * @param path folders separated by colons; relative ones are ignored
   * @return its file in the first folder that contains it; empty if none contains an executable one
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
