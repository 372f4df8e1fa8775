package io.probelet.nodehealth.monitor.check;

import io.probelet.nodehealth.monitor.check.Mounts.Mount;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Sees that no filesystem was turned read-only: by an error, or where it has to be writable. */
final class ReadOnlyMountsCheck implements Check {
  private final List<Path> mustBeWritable;
  private final Machine machine;

  ReadOnlyMountsCheck(List<Path> mustBeWritable, Machine machine) {
    this.mustBeWritable = mustBeWritable;
    this.machine = machine;
  }

  @Override
  public CheckResult look() throws IOException {
    List<Mount> mounts = Mounts.read(machine);
    List<String> bad =
        mounts.stream()
            .filter(mount ->
                mustBeWritable.isEmpty()
                    ? mount.isLocalDisk() && mount.turnedReadOnly()
                    : mustBeWritable.contains(mount.point())
                        && (mount.readOnly() || mount.filesystemReadOnly()))
            .map(mount -> mount.point().toString())
            .distinct()
            .toList();
    return bad.isEmpty()
        ? CheckResult.OK
        : new CheckResult.Problem("read-only: " + String.join(", ", bad));
  }
}
