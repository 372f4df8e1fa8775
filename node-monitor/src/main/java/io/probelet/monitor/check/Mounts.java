package io.probelet.monitor.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The mounts of the node, and which of them belong to the node itself (B-21). */
public final class Mounts {
  /** Filesystems on local disks: reading their usage needs no network. */
  private static final Set<String> LOCAL =
      Set.of("ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "jfs", "reiserfs", "zfs", "bcachefs");

  private static final String DEV = "/dev/";

  private Mounts() {}

  /**
   * One mount.
   *
   * @param source the mounted device, such as {@code /dev/sda1}
   * @param readOnly whether it was mounted read-only
   * @param filesystemReadOnly whether the filesystem is read-only, for whatever reason
   * @param shutDown whether the filesystem reports that it has shut down; not all types do
   */
  public record Mount(
      String device,
      Path point,
      String type,
      String source,
      boolean readOnly,
      boolean filesystemReadOnly,
      boolean shutDown) {
    /** {@return whether it turned read-only after it was mounted writable} */
    public boolean turnedReadOnly() {
      return filesystemReadOnly && !readOnly;
    }

    /** {@return whether it is on a local disk, so that reading its usage needs no network} */
    public boolean isLocalDisk() {
      return LOCAL.contains(type);
    }

    /** {@return whether it was mounted for pods, by the kubelet, a plugin or the runtime} */
    public boolean isForPods() {
      return PodFolders.contain(point);
    }
  }

  /** Selects the mounts to keep, since pods determine the length of the table. */
  private static final class Kept implements Predicate<Mount> {
    private final Set<Path> points;
    private final Set<List<Object>> seen = new HashSet<>();

    Kept(Set<Path> points) {
      this.points = points;
    }

    /** For pods, keeps each state of each disk once, and once more with the name of a pod. */
    @Override
    public boolean test(Mount mount) {
      if (points.contains(mount.point()) || !mount.isForPods()) {
        return true;
      }
      boolean named = PodFolders.volume(mount.point()).isPresent();
      return mount.isLocalDisk()
          && seen.add(List.of(mount.device(), mount.turnedReadOnly(), mount.shutDown(), named));
    }
  }

  /**
   * Reads the mounts of the node and its disks. Of the mounts for pods it keeps only disks, as
   * often as needed to name them.
   *
   * @return the mounts, in the order in which they were mounted
   * @throws IOException if they cannot be read, are not the node's, or are too many; the message is
   *     for the user
   */
  public static List<Mount> read(Machine machine) throws IOException {
    return read(machine, Set.of());
  }

  /** The same, plus the mounts at certain points. */
  static List<Mount> read(Machine machine, Set<Path> points) throws IOException {
    machine.requireNodeView("mounts");
    List<Mount> mounts = of(machine, "1", new Kept(points));
    if (mounts.isEmpty()) { // every system has some
      throw new IOException(machine.proc() + "/1/mountinfo lists no mounts");
    }
    return mounts;
  }

  private static List<Mount> of(Machine machine, String process, Predicate<Mount> kept)
      throws IOException {
    return MountTable.read(machine.proc().resolve(process + "/mountinfo"), kept);
  }

  /**
   * {@return the devices of the node's own disks: those mounted somewhere outside the folders of
   * pods}
   */
  public static Set<String> nodeDevices(List<Mount> mounts) {
    return mounts.stream()
        .filter(mount -> mount.isLocalDisk() && !mount.isForPods())
        .map(Mount::device)
        .collect(Collectors.toSet());
  }

  /**
   * Names the disks in a certain state that belong to pods only. They are not a node problem.
   *
   * @return a description of each, for people
   */
  public static Set<String> volumes(List<Mount> mounts, Predicate<Mount> bad, Machine machine) {
    Set<String> ofNode = nodeDevices(mounts);
    Map<String, Mount> byDevice = new LinkedHashMap<>();
    for (Mount mount : mounts) {
      if (mount.isLocalDisk() && !ofNode.contains(mount.device()) && bad.test(mount)) {
        byDevice.merge(
            mount.device(),
            mount,
            (one, other) -> PodFolders.volume(one.point()).isPresent() ? one : other);
      }
    }
    if (byDevice.isEmpty()) {
      return Set.of();
    }
    PodNames names = PodNames.read(machine);
    return byDevice.values().stream()
        .map(mount ->
            PodFolders.volume(mount.point())
                .map(volume -> "volume " + volume.name() + " of " + names.of(volume.pod()))
                .orElse("volume at " + mount.point()))
        .collect(Collectors.toSet());
  }

  /**
   * Finds the mounts of the node that are not visible below its root here. Their paths show another
   * filesystem.
   *
   * @throws IOException if this program's own mounts cannot be read; the message is for the user
   */
  public static List<Path> unseen(List<Mount> mounts, Machine machine) throws IOException {
    Set<Path> points =
        mounts.stream().map(mount -> machine.seen(mount.point())).collect(Collectors.toSet());
    Map<Path, String> own = new HashMap<>();
    try {
      of(machine, "self", mount -> points.contains(mount.point()))
          .forEach(mount -> own.put(mount.point(), mount.device()));
    } catch (NoSuchFileException noProcess) {
      return List.of(); // a procfs of another namespace, which has no process of this one
    }
    return mounts.stream()
        .filter(mount -> !mount.device().equals(own.get(machine.seen(mount.point()))))
        .map(Mount::point)
        .toList();
  }

  /** The message about mounts that are not visible; there is at least one. */
  static String unseenText(List<Path> unseen) {
    return "cannot see the node's mount at %s; requires mountPropagation: HostToContainer"
        .formatted(unseen.getFirst());
  }

  /** The device of a process's {@code /}; empty if it sees none. */
  static String rootDevice(Machine machine, String process) throws IOException {
    Path root = Path.of("/");
    List<Mount> there = of(machine, process, mount -> mount.point().equals(root));
    return there.isEmpty() ? "" : there.getLast().device(); // the last one hides the others
  }

  /**
   * Finds each filesystem on a disk of the node once, at its first mount outside the folders of
   * pods.
   *
   * @throws IOException if they cannot be read, are not the node's, or are too many; the message is
   *     for the user
   */
  public static List<Mount> disks(Machine machine) throws IOException {
    machine.requireNodeFiles();
    return disks(read(machine));
  }

  static List<Mount> disks(List<Mount> all) {
    Map<Path, Mount> last = new HashMap<>(); // the last mount at a point hides those before it
    all.forEach(mount -> last.put(mount.point(), mount));
    Map<String, Mount> byDevice = new LinkedHashMap<>();
    for (Mount mount : all) {
      if (mount.isLocalDisk() && !mount.isForPods() && mount.equals(last.get(mount.point()))) {
        byDevice.putIfAbsent(mount.device(), mount);
      }
    }
    return List.copyOf(byDevice.values());
  }

  /** The names that kernel logs may use for the disk of a mount. */
  static Set<String> names(Mount mount, Machine machine) {
    Set<String> names = new HashSet<>();
    String source = mount.source();
    if (source.startsWith(DEV)) {
      names.add(source.substring(source.lastIndexOf('/') + 1));
    }
    try { // the device behind a device mapper name, or behind /dev/root
      Path link = machine.sys().resolve("dev/block").resolve(mount.device());
      Path device = Files.readSymbolicLink(link).getFileName();
      if (device != null) {
        names.add(device.toString());
      }
    } catch (IOException | InvalidPathException unknown) {
      return names; // btrfs and zfs have virtual devices
    }
    return names;
  }

  /** The names of all local disks in a certain state. */
  static Set<String> names(List<Mount> mounts, Predicate<Mount> state, Machine machine) {
    Map<String, Mount> byDevice = new LinkedHashMap<>();
    mounts.stream()
        .filter(mount -> mount.isLocalDisk() && state.test(mount))
        .forEach(mount -> byDevice.putIfAbsent(mount.device() + mount.source(), mount));
    Set<String> names = new HashSet<>();
    byDevice.values().forEach(mount -> names.addAll(names(mount, machine)));
    return names;
  }
}
