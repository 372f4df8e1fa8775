package io.probelet.runtime.confine;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The control group that Probelet runs in, in one hierarchy.
 *
 * @param unified whether the hierarchy is version 2
 * @param controllers what the hierarchy can control
 */
record OwnGroup(Path directory, boolean unified, Set<String> controllers) {
  private static final String PROCESSES = "cgroup.procs";
  private static final String ENABLED = "cgroup.subtree_control";

  /** The group for Probelet itself, because in version 2 only leaves may contain processes. */
  private static final String OWN_LEAF = "probelet-agent";

  private static final String ADVICE =
      "; give Probelet a control group of its own, for example with"
          + " systemd-run --scope -p Delegate=yes";

  /** Finds the groups in all hierarchies, version 2 first. */
  static List<OwnGroup> all(Path proc) throws IOException {
    List<String> memberships = Files.readAllLines(proc.resolve("cgroup"));
    List<OwnGroup> groups = new ArrayList<>();
    for (String line : Files.readAllLines(proc.resolve("mountinfo"))) {
      String[] sides = line.split(" - ", 2);
      String[] mount = sides[0].split(" ", -1);
      String[] type = sides.length == 2 ? sides[1].split(" ", -1) : new String[0];
      if (mount.length < 5 || type.length < 3 || !type[0].startsWith("cgroup")) {
        continue;
      }
      boolean unified = type[0].equals("cgroup2");
      Set<String> options = unified ? Set.of() : Set.of(type[2].split(",", -1));
      for (String membership : memberships) {
        String[] fields = membership.split(":", 3);
        if (fields.length < 3 || fields[1].isEmpty() != unified) {
          continue;
        }
        Set<String> controllers = new HashSet<>(List.of(fields[1].split(",", -1)));
        controllers.retainAll(options);
        if (unified || !controllers.isEmpty()) {
          Path directory = below(Path.of(mount[4]), mount[3], fields[2]);
          groups.add(
              unified
                  ? new OwnGroup(directory, true, delegated(directory))
                  : new OwnGroup(directory, false, controllers));
        }
      }
    }
    groups.sort((a, b) -> Boolean.compare(b.unified(), a.unified()));
    return groups;
  }

  /** The mount may show only a part of the hierarchy. */
  private static Path below(Path mountPoint, String root, String membership) {
    String inside =
        !root.equals("/") && membership.startsWith(root)
            ? membership.substring(root.length())
            : membership;
    return mountPoint.resolve(inside.replaceFirst("^/+", "")).normalize();
  }

  private static Set<String> delegated(Path directory) throws IOException {
    Path offered = directory.resolve("cgroup.controllers");
    return Files.isReadable(offered)
        ? Set.of(ControlGroups.read(offered).split("\\s+", -1))
        : Set.of();
  }

  boolean offers(String controller) {
    return controllers.contains(controller);
  }

  /**
   * Enables controllers for the groups below this one.
   *
   * @throws IOException with the reason if that fails
   */
  void prepare(String controller, long self) throws IOException {
    if (!Files.isWritable(directory)) {
      throw new IOException("Probelet may not write to " + directory + ADVICE);
    }
    if (!unified) {
      return;
    }
    Path enabled = directory.resolve(ENABLED);
    if (List.of(ControlGroups.read(enabled).split("\\s+", -1)).contains(controller)) {
      return;
    }
    moveOut(self);
    try {
      Files.writeString(
          enabled, "+" + controller, StandardCharsets.US_ASCII, StandardOpenOption.WRITE);
    } catch (IOException refused) {
      throw new IOException(
          "cannot be enabled in " + enabled + ": " + refused.getMessage() + ADVICE, refused);
    }
  }

  private void moveOut(long self) throws IOException {
    Set<Long> own = new HashSet<>(Set.of(self));
    try (Stream<ProcessHandle> children = ProcessHandle.current().descendants()) {
      children.map(ProcessHandle::pid).forEach(own::add);
    }
    List<String> members =
        ControlGroups.read(directory.resolve(PROCESSES))
            .lines()
            .filter(pid -> !pid.isBlank())
            .toList();
    if (members.stream().anyMatch(pid -> !own.contains(Long.parseLong(pid.strip())))) {
      throw new IOException(
          "other processes run in Probelet's control group " + directory + ADVICE);
    }
    Path leaf = directory.resolve(OWN_LEAF);
    if (!Files.isDirectory(leaf)) {
      Files.createDirectory(leaf);
    }
    for (String pid : members) {
      Files.writeString(
          leaf.resolve(PROCESSES),
          pid.strip(),
          StandardCharsets.US_ASCII,
          StandardOpenOption.WRITE);
    }
  }
}
