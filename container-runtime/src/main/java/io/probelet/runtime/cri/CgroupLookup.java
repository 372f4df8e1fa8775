package io.probelet.runtime.cri;

import io.probelet.health.RecentMap;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.runtime.evidence.GroupFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Finds the control groups of containers. The runtime names a container's group in an answer with
 * the whole specification, environment included. Few such answers are in memory at once, and each
 * group is remembered: pods that fail together must not exhaust the memory.
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
  private final Semaphore places = new Semaphore(AT_ONCE, true);

  /** By container id; guarded by itself. */
  private final RecentMap<String, Optional<Path>> groups = new RecentMap<>(MAX_CONTAINERS);

  /**
   * Creates a lookup that has found nothing.
   *
   * @param cgroups where the node's control groups are mounted
   */
  CgroupLookup(CriCalls calls, Path cgroups) {
    this.calls = calls;
    this.cgroups = cgroups;
  }

  /** {@return where the kernel counts for a container; nothing if its group is not seen} */
  GroupFiles find(String containerId) throws ContainerRuntimeException, InterruptedException {
    return group(containerId)
        .map(group ->
            HIERARCHIES.stream()
                .map(hierarchy -> cgroups.resolve(hierarchy).resolve(group))
                .toList())
        .map(GroupFiles::new)
        .orElse(GroupFiles.NONE);
  }

  private Optional<Path> group(String containerId)
      throws ContainerRuntimeException, InterruptedException {
    synchronized (groups) {
      Optional<Path> known = groups.get(containerId);
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
      Optional<Path> group = calls.cgroup(containerId);
      synchronized (groups) {
        groups.put(containerId, group);
      }
      return group;
    } finally {
      places.release();
    }
  }
}
