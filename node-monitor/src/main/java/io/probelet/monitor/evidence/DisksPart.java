package io.probelet.monitor.evidence;

import io.probelet.monitor.check.Kernel.Room;
import io.probelet.monitor.check.Machine;
import io.probelet.monitor.check.Mounts;
import io.probelet.monitor.check.Mounts.Mount;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Mounts, disk usage and disk statistics. The usage of network filesystems is not read, since that
 * can hang. If a disk hangs, it is the last one named.
 */
record DisksPart(Machine machine) implements EvidenceCollector {
  private static final double FULL_PERCENT = 85;

  @Override
  public void collect(EvidenceOutput out) throws IOException {
    KernelFiles.copy(machine.proc().resolve("diskstats"), out);
    List<Mount> all = Mounts.read(machine);
    out.line("== mounts: point, type, source");
    Set<String> turned = new TreeSet<>();
    for (Mount mount : all) {
      out.line(
          "%s %s %s%s%s"
              .formatted(
                  mount.point(),
                  mount.type(),
                  mount.source(),
                  mount.readOnly() ? " read-only" : "",
                  mount.turnedReadOnly() ? " turned-read-only" : ""));
      if (mount.turnedReadOnly() && mount.isLocalDisk() && !mount.isForPods()) {
        turned.add(mount.point().toString());
      }
    }
    turned.addAll(Mounts.volumes(all, Mount::turnedReadOnly, machine)); // not the node's (B-21)
    turned.forEach(disk -> out.highlight(disk + " turned read-only"));
    List<Mount> disks = Mounts.disks(machine);
    List<Path> unseen = Mounts.unseen(disks, machine);
    out.line("== disk usage");
    for (Mount disk : disks) {
      if (unseen.contains(disk.point())) {
        out.missing(
            disk.point() + " is not visible here; requires mountPropagation: HostToContainer");
      } else {
        out.line("checking " + disk.point());
        room(disk, out);
      }
    }
  }

  private void room(Mount disk, EvidenceOutput out) {
    try {
      Room room = machine.kernel().room(machine.seen(disk.point()));
      double space = room.usedSpace();
      double inodes = room.usedInodes();
      out.line("%s space=%.1f%% inodes=%.1f%%".formatted(disk.point(), space, inodes));
      if (Math.max(space, inodes) > FULL_PERCENT && !disk.filesystemReadOnly()) {
        out.highlight(
            "%s is full: %.0f %% of space, %.0f %% of inodes used"
                .formatted(disk.point(), space, inodes));
      }
    } catch (IOException refused) {
      out.missing(disk.point() + ": " + refused.getMessage());
    }
  }
}
