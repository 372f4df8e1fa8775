package io.probelet.monitor.check;

import io.probelet.monitor.check.Mounts.Mount;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Sees that no filesystem was turned read-only: by an error, or where it has to be writable. It
 * speaks for the disks it finds mounted; a disk that is mounted nowhere may be in any state.
 */
final class ReadOnlyMountsCheck implements NodeCheck {
  private final List<Path> mustBeWritable;
  private final Machine machine;

  ReadOnlyMountsCheck(List<Path> mustBeWritable, Machine machine) {
    this.mustBeWritable = mustBeWritable;
    this.machine = machine;
  }

  @Override
  public NodeCheckResult run() throws IOException {
    List<Mount> mounts = Mounts.read(machine);
    for (Path point : mustBeWritable) {
      if (mounts.stream().noneMatch(mount -> mount.point().equals(point))) {
        return new NodeCheckResult.Unknown("nothing is mounted at " + point);
      }
    }
    List<String> bad =
        mounts.stream()
            .filter(this::isBad)
            .map(mount -> mount.point().toString())
            .distinct()
            .toList();
    Set<String> well = new HashSet<>();
    for (Mount mount : mounts) {
      if (mount.isLocalDisk() && !mount.filesystemReadOnly()) {
        well.addAll(Mounts.names(mount, machine));
      }
    }
    return new NodeCheckResult.Devices(
        well, bad.isEmpty() ? "" : "read-only: " + String.join(", ", bad));
  }

  private boolean isBad(Mount mount) {
    return mustBeWritable.isEmpty()
        ? mount.isLocalDisk() && mount.turnedReadOnly()
        : mustBeWritable.contains(mount.point())
            && (mount.readOnly() || mount.filesystemReadOnly());
  }
}
