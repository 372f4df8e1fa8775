package io.probelet.monitor.check;

import io.probelet.monitor.check.Mounts.Mount;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Sees that no filesystem was turned read-only: a disk of the node by an error, or whatever has to
 * be writable. It speaks for the disks it finds mounted; a disk that is mounted nowhere may be in
 * any state. A volume of a pod is not the node's (B-21): it is named for the log.
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
