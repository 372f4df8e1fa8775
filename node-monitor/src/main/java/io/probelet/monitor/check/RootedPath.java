package io.probelet.monitor.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * Resolves links below another root directory as a program in it would: a link that starts with
 * {@code /} starts at that root. The kubelet's newest certificate is such a link, and so is much of
 * {@code /etc}.
 */
final class RootedPath {
  private static final Path TOP = Path.of("/");

  /** The limit of Linux. */
  private static final int MAX_LINKS = 40;

  private RootedPath() {}

  /**
   * {@return the path as seen from here}
   *
   * @param path an absolute path in there, which need not exist
   */
  static Path of(Path root, Path path) {
    Deque<Path> rest = new ArrayDeque<>(names(path));
    Path reached = TOP;
    int links = 0;
    while (!rest.isEmpty()) {
      Path name = rest.removeFirst();
      if (name.toString().equals("..")) {
        Path parent = reached.getParent();
        reached = parent == null ? TOP : parent; // a root has no parent
        continue;
      }
      Path next = reached.resolve(name);
      Path target = links < MAX_LINKS ? target(root.resolve(TOP.relativize(next))) : Path.of("");
      if (target.toString().isEmpty()) {
        reached = next;
      } else {
        links++;
        reached = target.isAbsolute() ? TOP : reached;
        names(target).reversed().forEach(rest::addFirst);
      }
    }
    return root.resolve(TOP.relativize(reached));
  }

  private static List<Path> names(Path path) {
    List<Path> names = new ArrayList<>();
    path.forEach(names::add);
    names.removeIf(name -> name.toString().equals("."));
    return names;
  }

  /** The target of a link; empty if it is not a link. */
  private static Path target(Path file) {
    try {
      return Files.isSymbolicLink(file) ? Files.readSymbolicLink(file) : Path.of("");
    } catch (IOException unreadable) {
      return Path.of(""); // opening it reports why
    }
  }
}
