package io.probelet.monitor.check;

import io.probelet.monitor.check.Mounts.Mount;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Checks that no disk of the node turned read-only after an error, and that configured mounts are
 * writable. It covers the disks it finds mounted; an unmounted disk may be in any state. Pod
 * volumes do not count as the node's (B-21); they are named for the log.
 */
final class ReadOnlyMountsCheck implements NodeCheck {
  private final Set<Path> mustBeWritable;
  private final Machine machine;

  ReadOnlyMountsCheck(List<Path> mustBeWritable, Machine machine) {
    this.mustBeWritable = Set.copyOf(mustBeWritable);
    this.machine = machine;
  }

  @Override
  public NodeCheckResult run() throws IOException {
    List<Mount> mounts = Mounts.read(machine, mustBeWritable);
    for (Path point : mustBeWritable) {
      if (mounts.stream().noneMatch(mount -> mount.point().equals(point))) {
        return new NodeCheckResult.Unknown("nothing is mounted at " + point);
      }
    }
    String bad =
        mounts.stream()
            .filter(this::isBad)
            .map(mount -> mount.point().toString())
            .distinct()
            .collect(Collectors.joining(", "));
    return new NodeCheckResult.Devices(
        Mounts.names(mounts, mount -> !mount.filesystemReadOnly(), machine),
        bad.isEmpty() ? "" : "read-only: " + bad,
        Mounts.volumes(mounts, Mount::turnedReadOnly, machine).stream()
            .map(volume -> "read-only: " + volume)
            .collect(Collectors.toSet()));
  }

  private boolean isBad(Mount mount) {
    return mustBeWritable.isEmpty()
        ? mount.isLocalDisk() && !mount.isForPods() && mount.turnedReadOnly()
        : mustBeWritable.contains(mount.point())
            && (mount.readOnly() || mount.filesystemReadOnly());
  }
}
