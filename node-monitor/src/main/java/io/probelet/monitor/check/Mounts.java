package io.probelet.monitor.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What is mounted on the node, as mountinfo of proc(5) has it. */
public final class Mounts {
  /** Filesystems on disks of this machine: asking for their room does not go over a network. */
  private static final Set<String> LOCAL =
      Set.of("ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "jfs", "reiserfs", "zfs", "bcachefs");

  /** What pods have mounted is theirs to fill. */
  private static final List<Path> OF_PODS =
      List.of(Path.of("/var/lib/kubelet/pods"), Path.of("/var/lib/kubelet/plugins"));

  private static final Set<String> READ_ONLY = Set.of("ro");

  /** What a filesystem says of itself that takes no writes; ext4 no longer says ro (Linux 6.15). */
  private static final Set<String> GIVEN_UP = Set.of("ro", "emergency_ro", "shutdown");

  private Mounts() {}

  /**
   * One mount.
   *
   * @param device major and minor number
   * @param point where it is mounted on the node
   * @param type the kind of filesystem
   * @param source what was mounted, such as {@code /dev/sda1}
   * @param readOnly whether it was mounted read-only
   * @param filesystemReadOnly whether the filesystem is read-only, for whatever reason
   */
  public record Mount(
      String device,
      Path point,
      String type,
      String source,
      boolean readOnly,
      boolean filesystemReadOnly) {
    /** {@return whether it gave up writing, which does not change how it was mounted} */
    public boolean turnedReadOnly() {
      return filesystemReadOnly && !readOnly;
    }

    /** {@return whether it is on a disk of this machine: asking it does not go over a network} */
    public boolean isLocalDisk() {
      return LOCAL.contains(type);
    }
  }

  /**
   * Reads all.
   *
   * @param machine whose they are
   * @return the mounts, in the order in which they were mounted
   * @throws IOException if they cannot be read, or are not the node's; the message is for the user
   */
  public static List<Mount> read(Machine machine) throws IOException {
    machine.demandView("mounts");
    List<Mount> mounts = of(machine, "1");
    if (mounts.isEmpty()) { // every system has some
      throw new IOException(machine.proc() + "/1/mountinfo names no mount");
    }
    return mounts;
  }

  /**
   * Finds which of the node's mounts are not there below its root as it is seen here. What is seen
   * in their place is another filesystem.
   *
   * @param mounts of the node
   * @param machine the node
   * @return where they are mounted
   * @throws IOException if this program's own mounts cannot be read; the message is for the user
   */
  public static List<Path> unseen(List<Mount> mounts, Machine machine) throws IOException {
    Map<Path, String> own = new HashMap<>();
    try {
      of(machine, "self").forEach(mount -> own.put(mount.point(), mount.device()));
    } catch (NoSuchFileException noProcess) {
      return List.of(); // a procfs of another namespace, which has no process of this one
    }
    return mounts.stream()
        .filter(mount -> !mount.device().equals(own.get(machine.seen(mount.point()))))
        .map(Mount::point)
        .toList();
  }

  private static List<Mount> of(Machine machine, String process) throws IOException {
    List<Mount> mounts = new ArrayList<>();
    for (String line : Files.readAllLines(machine.proc().resolve(process + "/mountinfo"))) {
      parse(line).ifPresent(mounts::add);
    }
    return mounts;
  }

  /** The device of what a process sees as {@code /}; empty if it sees none. */
  static String rootDevice(Machine machine, String process) throws IOException {
    return of(machine, process).reversed().stream()
        .filter(mount -> mount.point().equals(Path.of("/"))) // the last one hides the others
        .map(Mount::device)
        .findFirst()
        .orElse("");
  }

  /**
   * Finds each filesystem on a disk once, where it was mounted first, without those of pods.
   *
   * @param machine whose they are
   * @return the mounts
   * @throws IOException if they cannot be read, or are not the node's; the message is for the user
   */
  public static List<Mount> disks(Machine machine) throws IOException {
    machine.demandFiles();
    List<Mount> all = read(machine);
    Map<Path, Mount> last = new HashMap<>(); // at each point, which hides those before it
    all.forEach(mount -> last.put(mount.point(), mount));
    Map<String, Mount> byDevice = new LinkedHashMap<>();
    for (Mount mount : all) {
      if (mount.isLocalDisk()
          && mount.equals(last.get(mount.point()))
          && OF_PODS.stream().noneMatch(mount.point()::startsWith)) {
        byDevice.putIfAbsent(mount.device(), mount);
      }
    }
    return List.copyOf(byDevice.values());
  }

  private static Optional<Mount> parse(String line) {
    List<String> words = Arrays.asList(line.split(" ", -1));
    int dash = words.indexOf("-"); // before it stands a number of fields that varies
    if (dash < 6 || words.size() < dash + 4) {
      return Optional.empty();
    }
    return Optional.of(
        new Mount(
            words.get(2),
            Path.of(unescaped(words.get(4))),
            words.get(dash + 1),
            unescaped(words.get(dash + 2)),
            hasOneOf(READ_ONLY, words.get(5)),
            hasOneOf(GIVEN_UP, words.get(dash + 3))));
  }

  private static boolean hasOneOf(Set<String> options, String found) {
    return Arrays.stream(found.split(",", -1)).anyMatch(options::contains);
  }

  /** What logs of the kernel may call the disk of a mount. */
  static Set<String> names(Mount mount, Machine machine) {
    Set<String> names = new HashSet<>();
    if (mount.source().startsWith("/dev/")) {
      names.add(Path.of(mount.source()).getFileName().toString());
    }
    try { // what lies behind a name of device mapper, or behind /dev/root
      Path link = machine.sys().resolve("dev/block").resolve(mount.device());
      Path device = Files.readSymbolicLink(link).getFileName();
      if (device != null) {
        names.add(device.toString());
      }
    } catch (IOException | InvalidPathException unknown) {
      return names; // btrfs and zfs have devices of their own making
    }
    return names;
  }

  /** Spaces and the like are written as three octal digits. */
  private static String unescaped(String text) {
    StringBuilder plain = new StringBuilder();
    for (int at = 0; at < text.length(); at++) {
      if (text.charAt(at) == '\\' && at + 3 < text.length()) {
        plain.append((char) Integer.parseInt(text.substring(at + 1, at + 4), 8));
        at += 3;
      } else {
        plain.append(text.charAt(at));
      }
    }
    return plain.toString();
  }
}
