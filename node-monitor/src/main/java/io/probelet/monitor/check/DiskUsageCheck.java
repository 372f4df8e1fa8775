package io.probelet.monitor.check;

import io.probelet.monitor.check.Kernel.Room;
import io.probelet.monitor.check.Mounts.Mount;
import io.probelet.monitor.rule.CheckSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Sees that filesystems have room, for bytes or for files. */
final class DiskUsageCheck implements NodeCheck {
  private final CheckSpec.DiskUsage spec;
  private final Machine machine;

  DiskUsageCheck(CheckSpec.DiskUsage spec, Machine machine) {
    this.spec = spec;
    this.machine = machine;
  }

  @Override
  public NodeCheckResult run() throws IOException {
    List<String> full = new ArrayList<>();
    for (Path mount : mounts()) {
      if (usedPercent(machine.kernel().room(machine.seen(mount))) > spec.maxUsedPercent()) {
        full.add(mount.toString());
      }
    }
    String what = spec.counted() == CheckSpec.DiskUsage.Counted.SPACE ? "space" : "inodes";
    return full.isEmpty()
        ? NodeCheckResult.OK
        : new NodeCheckResult.Problem(
            "more than %d %% of the %s is used on %s"
                .formatted(spec.maxUsedPercent(), what, String.join(", ", full)));
  }

  private List<Path> mounts() throws IOException {
    return spec.mounts().isEmpty()
        ? Mounts.disks(machine).stream()
            .filter(mount -> !mount.filesystemReadOnly()) // nobody can fill it
            .map(Mount::point)
            .toList()
        : spec.mounts();
  }

  /** As df has it: of what everybody may use. */
  private double usedPercent(Room room) {
    return switch (spec.counted()) {
      case SPACE -> {
        long used = room.blocks() - room.freeBlocks();
        yield percent(used, used + room.availableBlocks());
      }
      case INODES -> percent(room.inodes() - room.freeInodes(), room.inodes());
    };
  }

  private static double percent(long used, long all) {
    return all == 0 ? 0 : 100.0 * used / all;
  }
}
