package io.probelet.runtime.cri;

import io.probelet.health.RecentMap;
import io.probelet.probe.runtime.ContainerEvidence;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.runtime.evidence.GroupFiles;
import io.probelet.runtime.evidence.KernelEvidence;
import io.probelet.runtime.evidence.ProcessFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Reads what the kernel says about containers, from their control groups and processes. The runtime
 * names a container's group in an answer with the whole specification, environment included. Few
 * such answers are in memory at once, and each group is remembered: pods that fail together must
 * not exhaust the memory.
 */
final class CgroupLookup {
  static final int AT_ONCE = 2;
  private static final int MAX_CONTAINERS = 2_000;
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(3);

  /** Below the mount of all: none of its own in version 2, in version 1 one of each kind. */
  private static final List<String> HIERARCHIES =
      List.of("", "cpu,cpuacct", "cpu", "cpuacct", "memory");

  private final CriCalls calls;
  private final Path cgroups;

  /** With the node's numbers, which this process may not have itself. */
  private final ProcessFiles node;

  private final Semaphore places = new Semaphore(AT_ONCE, true);

  /** By container id; guarded by itself. */
  private final RecentMap<String, Optional<ContainerCgroup>> groups =
      new RecentMap<>(MAX_CONTAINERS);

  /**
   * Creates a lookup that has found nothing.
   *
   * @param root where the node's root directory is seen
   */
  CgroupLookup(CriCalls calls, Path root) {
    this.calls = calls;
    cgroups = root.resolve("sys/fs/cgroup");
    node = new ProcessFiles(root.resolve("proc"));
  }

  /**
   * {@return what the kernel says about a container, as far as its group and processes are seen}
   */
  ContainerEvidence evidence(String containerId)
      throws ContainerRuntimeException, InterruptedException {
    Optional<ContainerCgroup> found = group(containerId);
    if (found.isEmpty()) {
      return ContainerEvidence.NONE;
    }
    ContainerCgroup place = found.get();
    GroupFiles files =
        new GroupFiles(
            HIERARCHIES.stream()
                .map(hierarchy -> cgroups.resolve(hierarchy).resolve(place.folder()))
                .toList());
    List<Long> own = files.processes();
    return own.isEmpty()
        ? KernelEvidence.of(files, node.family(place.pid(), place.name()), node)
        : KernelEvidence.of(files, own, ProcessFiles.OWN);
  }

  private Optional<ContainerCgroup> group(String containerId)
      throws ContainerRuntimeException, InterruptedException {
    synchronized (groups) {
      Optional<ContainerCgroup> known = groups.get(containerId);
      if (known != null) {
        return known;
      }
    }
    if (!places.tryAcquire(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
      throw new ContainerRuntimeException(
          "ContainerStatus: %d lookups in progress, none finished within %d s"
              .formatted(AT_ONCE, LONGEST_WAIT.toSeconds()));
    }
    try {
      Optional<ContainerCgroup> group = calls.cgroup(containerId);
      synchronized (groups) {
        groups.put(containerId, group);
      }
      return group;
    } finally {
      places.release();
    }
  }
}
