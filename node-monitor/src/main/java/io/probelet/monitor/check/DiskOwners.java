package io.probelet.monitor.check;

import io.probelet.monitor.check.Kernel.Room;
import io.probelet.monitor.rule.CheckSpec.DiskUsage.Counted;
import io.probelet.monitor.track.PodTrace;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names the pod that has written most to a disk of the node (B-22): to its emptyDir volumes, its
 * logs, and its containers' layers. Pods choose the number of files, so files and time are limited,
 * per pod and in total.
 */
final class DiskOwners {
  static final int MAX_FILES = 200_000;
  static final int MAX_FILES_OF_POD = 20_000;
  private static final int MAX_PODS = 2_000;
  private static final int MAX_DEPTH = 64;
  private static final int MAX_FIRST_LINE = 64 << 10;
  private static final Duration LONGEST = Duration.ofSeconds(3);

  /** Pod folders below the kubelet roots of common Kubernetes distributions. */
  private static final List<Path> KUBELETS =
      List.of(
          Path.of("/var/lib/kubelet/pods"),
          Path.of("/var/lib/k0s/kubelet/pods"),
          Path.of("/var/snap/microk8s/common/var/lib/kubelet/pods"));

  private static final Path LOGS = Path.of("/var/log/pods");
  private static final Pattern UID = Pattern.compile("(?:^|_)([0-9a-f-]{32,36})$");

  /** The folder with a container's own changes, in the mountinfo line of its root directory. */
  private static final Pattern UPPER = Pattern.compile("[ ,]upperdir=(/[!-+\\--~]{1,4000})");

  private final Machine machine;
  private final Counted counted;
  private final Owners owners;
  private final long start;
  private int files;

  private DiskOwners(Machine machine, Counted counted) {
    this.machine = machine;
    this.counted = counted;
    owners = new Owners(machine);
    start = machine.time().nanoTime();
  }

  /** A clause about the disk mounted there; empty if no pod is known to use it. */
  static String largest(Path mount, Counted counted, Machine machine) {
    DiskOwners walk = new DiskOwners(machine, counted);
    Room room;
    try {
      room = machine.kernel().room(machine.seen(mount));
      Object disk = device(machine.seen(mount));
      Map<Path, String> places = walk.places();
      int left = places.size();
      for (Map.Entry<Path, String> place : places.entrySet()) {
        if (disk.equals(walk.deviceOrNone(place.getKey()))) {
          walk.count(place.getKey(), new Owner.Pod(place.getValue()));
        }
        if (walk.isOver() && --left > 0) {
          walk.owners.partial();
          break;
        }
      }
    } catch (IOException hidden) {
      return "";
    }
    walk.owners.ofWhole(
        counted == Counted.INODES ? room.inodes() - room.freeInodes() : room.usedBytes());
    return walk.owners.largest(counted == Counted.INODES ? "the used inodes" : "the used space");
  }

  private static Object device(Path path) throws IOException {
    return Files.getAttribute(path, "unix:dev", LinkOption.NOFOLLOW_LINKS);
  }

  private Object deviceOrNone(Path path) {
    try {
      return device(path);
    } catch (IOException gone) {
      return this; // no device
    }
  }

  private boolean isOver() {
    return files >= MAX_FILES
        || machine.time().nanoTime() - start > LONGEST.toNanos()
        || Thread.currentThread().isInterrupted();
  }

  /** The folders that pods write to, each with the uid of its pod. */
  private Map<Path, String> places() throws IOException {
    Map<Path, String> places = new LinkedHashMap<>();
    for (Path kubelet : KUBELETS) {
      for (Path pod : children(machine.seen(kubelet))) {
        addPod(places, pod.resolve("volumes/kubernetes.io~empty-dir"), pod);
      }
    }
    for (Path pod : children(machine.seen(LOGS))) {
      addPod(places, pod, pod);
    }
    layers(places);
    return places;
  }

  private static void addPod(Map<Path, String> places, Path folder, Path named) {
    Matcher uid = UID.matcher(String.valueOf(named.getFileName()));
    if (uid.find()) {
      places.put(folder, uid.group(1));
    }
  }

  private List<Path> children(Path folder) {
    Set<Path> children = new HashSet<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(folder)) {
      for (Path child : all) {
        if (children.size() == MAX_PODS) {
          owners.partial();
          break;
        }
        children.add(child);
      }
    } catch (IOException | DirectoryIteratorException none) {
      return List.copyOf(children);
    }
    return List.copyOf(children);
  }

  /** One process per container is enough to find the container's layer. */
  private void layers(Map<Path, String> places) throws IOException {
    Set<PodTrace> seen = new HashSet<>();
    boolean all =
        NodeProcesses.each(
            machine,
            process -> {
              PodTrace trace = Owners.trace(process).orElse(null);
              if (trace != null && seen.size() < MAX_PODS && seen.add(trace)) {
                String upper = upper(process);
                if (!upper.isEmpty()) {
                  places.put(machine.seen(Path.of(upper)), trace.podUid());
                }
              }
              return !isOver();
            });
    if (!all) {
      owners.partial();
    }
  }

  /** The first line is that of the root directory. */
  private static String upper(Path process) {
    try (BufferedReader lines =
        Files.newBufferedReader(process.resolve("mountinfo"), StandardCharsets.ISO_8859_1)) {
      char[] start = new char[MAX_FIRST_LINE];
      int read = lines.read(start);
      String line = new String(start, 0, Math.max(0, read)).lines().findFirst().orElse("");
      Matcher upper = UPPER.matcher(line);
      return line.contains(" - overlay ") && upper.find() ? upper.group(1) : "";
    } catch (IOException ended) {
      return "";
    }
  }

  private void count(Path folder, Owner owner) {
    try {
      Files.walkFileTree(
          folder, EnumSet.noneOf(FileVisitOption.class), MAX_DEPTH, new Counter(owner));
    } catch (IOException unreadable) {
      owners.partial();
    }
  }

  /** Counts the files of one folder, without following links. */
  private final class Counter extends SimpleFileVisitor<Path> {
    private final Owner owner;
    private int ofPod;

    Counter(Owner owner) {
      this.owner = owner;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
      return counted(attributes);
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      return counted(attributes);
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException unreadable) {
      owners.partial();
      return FileVisitResult.CONTINUE;
    }

    private FileVisitResult counted(BasicFileAttributes attributes) {
      files++;
      owners.add(owner, counted == Counted.INODES ? 1 : attributes.size());
      if (++ofPod >= MAX_FILES_OF_POD || isOver()) {
        owners.partial();
        return FileVisitResult.TERMINATE;
      }
      return FileVisitResult.CONTINUE;
    }
  }
}
