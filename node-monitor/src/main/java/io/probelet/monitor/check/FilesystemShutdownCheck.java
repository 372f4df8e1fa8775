package io.probelet.monitor.check;

import io.probelet.monitor.availability.Obstacle;
import io.probelet.monitor.availability.UnavailableException;
import io.probelet.monitor.check.Mounts.Mount;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Checks whether a filesystem of the node has shut down (B-23). ext4 reports it in its mount
 * options. XFS does not, but every open fails with an input/output error. Pod volumes do not count
 * as the node's (B-21).
 */
final class FilesystemShutdownCheck implements NodeCheck {
  private final Machine machine;

  FilesystemShutdownCheck(Machine machine) {
    this.machine = machine;
  }

  @Override
  public NodeCheckResult run() throws IOException {
    machine.requireNodeFiles();
    List<Mount> mounts = Mounts.read(machine);
    List<Mount> disks = Mounts.disks(mounts);
    if (disks.isEmpty()) {
      throw new UnavailableException(Obstacle.NOT_THERE, "no disk filesystem is mounted");
    }
    List<Path> unseen = Mounts.unseen(disks, machine);
    Set<String> well = new HashSet<>();
    List<String> bad = new ArrayList<>();
    for (Mount disk : disks) {
      if (disk.shutDown()) {
        bad.add(disk.point() + " (" + disk.type() + ")");
      } else if (!unseen.contains(disk.point())) {
        if (machine.kernel().opens(machine.seen(disk.point()))) {
          well.addAll(Mounts.names(disk, machine));
        } else {
          bad.add(disk.point() + " (" + disk.type() + ")");
        }
      }
    }
    if (bad.isEmpty() && !unseen.isEmpty()) {
      return new NodeCheckResult.Unknown(Mounts.unseenText(unseen));
    }
    return new NodeCheckResult.Devices(
        well,
        bad.isEmpty() ? "" : "filesystem shut down after an error: " + String.join(", ", bad),
        Mounts.volumes(mounts, Mount::shutDown, machine).stream()
            .map(volume -> "filesystem shut down after an error: " + volume)
            .collect(Collectors.toSet()));
  }
}
