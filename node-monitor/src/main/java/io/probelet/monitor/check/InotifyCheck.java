package io.probelet.monitor.check;

import io.probelet.monitor.availability.Obstacle;
import io.probelet.monitor.availability.UnavailableException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Compares the inotify instances and watches of each user with the kernel's limit per user.
 * Kubelet, container runtime and most pods all count as root, so one of them may use up the shared
 * limit. The kernel reports no sum, so the open files of all processes are counted.
 */
final class InotifyCheck implements NodeCheck {
  /** Twice the open files of a large node; counting them takes about a second. */
  private static final int MAX_FILES = 200_000;

  private final int maxUsedPercent;
  private final Machine machine;
  private final int maxFiles;

  InotifyCheck(int maxUsedPercent, Machine machine) {
    this(maxUsedPercent, machine, MAX_FILES);
  }

  InotifyCheck(int maxUsedPercent, Machine machine, int maxFiles) {
    this.maxUsedPercent = maxUsedPercent;
    this.machine = machine;
    this.maxFiles = maxFiles;
  }

  /** The usage of one user. */
  private static final class Use {
    private final Owners instances;
    private final Owners watches;

    Use(Machine machine) {
      instances = new Owners(machine);
      watches = new Owners(machine);
    }
  }

  /** The counts of one run, and whether they are complete. */
  private static final class Count {
    private final Map<Long, Use> users = new TreeMap<>();
    private final InotifyWatches reader = new InotifyWatches();
    private int files;
    private boolean all = true;
    private boolean hidden;
  }

  /** Whether open files of another process can be read at all; listing them requires less. */
  private boolean canSee() {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(machine.proc().resolve("1/fd"))) {
      for (Path file : files) {
        Files.readSymbolicLink(file);
        return true;
      }
      return false;
    } catch (IOException | DirectoryIteratorException denied) {
      return false;
    }
  }

  @Override
  public NodeCheckResult run() throws IOException {
    machine.requireNodeView("processes");
    if (!canSee()) { // reading all the others would only take time
      throw hidden();
    }
    Path limits = machine.proc().resolve("sys/fs/inotify");
    long instances = KernelFile.number(limits.resolve("max_user_instances"));
    long watches = KernelFile.number(limits.resolve("max_user_watches"));
    Count count = new Count();
    count.all =
        NodeProcesses.each(
            machine,
            process -> {
              process(process, count);
              return count.files <= maxFiles && !count.reader.isExhausted();
            });
    List<String> problems = new ArrayList<>();
    List<Owners> largest = new ArrayList<>();
    count.users.forEach((user, use) -> {
      if (isTooMuch(use.instances.total(), instances)) {
        problems.add("instances of user " + user);
        largest.add(use.instances);
      }
      if (isTooMuch(use.watches.total(), watches)) {
        problems.add("watches of user " + user);
        largest.add(use.watches);
      }
    });
    if (!problems.isEmpty()) { // uncounted files cannot make it better
      return new NodeCheckResult.Problem(
          "more than %d %% of the inotify %s are used"
                  .formatted(maxUsedPercent, String.join(" and ", problems))
              + largest.getFirst().largest("the " + problems.getFirst()));
    }
    if (count.files > maxFiles || count.reader.isExhausted()) {
      return new NodeCheckResult.Unknown(
          "too many open files to count: the limit is %d files and %d MiB of watches"
              .formatted(maxFiles, InotifyWatches.MAX_BYTES >> 20));
    }
    if (!count.all) {
      return new NodeCheckResult.Unknown(NodeProcesses.limitText(NodeProcesses.MAX));
    }
    if (count.hidden) {
      throw hidden();
    }
    return NodeCheckResult.OK;
  }

  private static UnavailableException hidden() {
    return new UnavailableException(
        Obstacle.NOT_PERMITTED,
        "cannot read the open files of all processes; requires root with CAP_SYS_PTRACE");
  }

  private boolean isTooMuch(long used, long limit) {
    return limit > 0 && 100.0 * used / limit > maxUsedPercent;
  }

  /** A process may end at any moment, which leaves nothing to count. */
  private void process(Path process, Count count) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd"))) {
      for (Path file : files) {
        if (++count.files > maxFiles) {
          return;
        }
        if (isInotify(file, count)) {
          Use use =
              count.users.computeIfAbsent(Owners.effectiveUser(process), _ -> new Use(machine));
          Owner owner = Owners.pod(process).orElse(Owner.UNKNOWN);
          use.instances.add(owner, 1);
          use.watches.add(
              owner, count.reader.count(process.resolve("fdinfo").resolve(file.getFileName())));
        }
      }
    } catch (AccessDeniedException denied) {
      count.hidden = true;
    } catch (IOException | DirectoryIteratorException ended) {
      if (Files.exists(process.resolve("fd")) && Files.exists(process.resolve("stat"))) {
        count.hidden = true;
      }
    }
  }

  private static boolean isInotify(Path file, Count count) throws IOException {
    try {
      return Files.readSymbolicLink(file).toString().equals("anon_inode:inotify");
    } catch (AccessDeniedException denied) {
      count.hidden = true;
      return false;
    } catch (NotLinkException | NoSuchFileException closed) {
      return false;
    }
  }
}
