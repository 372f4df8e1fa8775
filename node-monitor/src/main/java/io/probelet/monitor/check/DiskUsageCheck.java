package io.probelet.monitor.check;

import io.probelet.monitor.availability.Obstacle;
import io.probelet.monitor.availability.UnavailableException;
import io.probelet.monitor.check.Kernel.Room;
import io.probelet.monitor.check.Mounts.Mount;
import io.probelet.monitor.rule.CheckSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Checks that filesystems have free space or free inodes. */
final class DiskUsageCheck implements NodeCheck {
  private final CheckSpec.DiskUsage spec;
  private final Machine machine;

  DiskUsageCheck(CheckSpec.DiskUsage spec, Machine machine) {
    this.spec = spec;
    this.machine = machine;
  }

  @Override
  public NodeCheckResult run() throws IOException {
    List<Mount> disks = spec.mounts().isEmpty() ? disks() : List.of();
    List<Path> unseen = disks.isEmpty() ? List.of() : Mounts.unseen(disks, machine);
    List<Path> mounts =
        spec.mounts().isEmpty() ? disks.stream().map(Mount::point).toList() : spec.mounts();
    List<String> full = new ArrayList<>();
    for (Path mount : mounts) {
      if (!unseen.contains(mount)
          && usedPercent(machine.kernel().room(machine.seen(mount))) > spec.maxUsedPercent()) {
        full.add(mount.toString());
      }
    }
    String what = spec.counted() == CheckSpec.DiskUsage.Counted.SPACE ? "space is" : "inodes are";
    if (!full.isEmpty()) {
      return new NodeCheckResult.Problem(
          "more than %d %% of the %s used on %s"
                  .formatted(spec.maxUsedPercent(), what, String.join(", ", full))
              + DiskOwners.largest(Path.of(full.getFirst()), spec.counted(), machine));
    }
    return unseen.isEmpty()
        ? NodeCheckResult.OK
        : new NodeCheckResult.Unknown(Mounts.unseenText(unseen));
  }

  private List<Mount> disks() throws IOException {
    List<Mount> disks = Mounts.disks(machine);
    if (disks.isEmpty()) {
      throw new UnavailableException(Obstacle.NOT_THERE, "no disk filesystem is mounted");
    }
    return disks.stream().filter(mount -> !mount.filesystemReadOnly()).toList(); // cannot fill up
  }

  private double usedPercent(Room room) {
    return switch (spec.counted()) {
      case SPACE -> room.usedSpace();
      case INODES -> room.usedInodes();
    };
  }
}
