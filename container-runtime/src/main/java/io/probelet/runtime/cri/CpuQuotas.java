package io.probelet.runtime.cri;

import io.probelet.health.RecentMap;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.CpuQuota;
import io.probelet.runtime.confine.QuotaFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Reads CPU quotas from the node's control groups. To find a container's group, the runtime sends
 * its whole specification, including the environment. Only a few such responses are in memory at
 * once, and each group is cached, so that pods that fail together cannot exhaust the memory.
 */
final class CpuQuotas {
  static final int AT_ONCE = 2;
  private static final int MAX_CONTAINERS = 2_000;
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(3);

  /** The folders below the mount: version 2 has none, version 1 has one of these. */
  private static final List<String> CPU_HIERARCHIES = List.of("", "cpu,cpuacct", "cpu");

  private final CriCalls calls;
  private final Path cgroups;
  private final Semaphore places = new Semaphore(AT_ONCE, true);

  /** By container id; guarded by itself. */
  private final RecentMap<String, Optional<Path>> groups = new RecentMap<>(MAX_CONTAINERS);

  /**
   * Creates a reader without cached groups.
   *
   * @param cgroups where the node's control groups are mounted
   */
  CpuQuotas(CriCalls calls, Path cgroups) {
    this.calls = calls;
    this.cgroups = cgroups;
  }

  /** {@return the quota of a container; empty without a limit, or if its group is not visible} */
  Optional<CpuQuota> read(String containerId)
      throws ContainerRuntimeException, InterruptedException {
    return group(containerId)
        .flatMap(group ->
            CPU_HIERARCHIES.stream()
                .map(hierarchy -> QuotaFiles.read(cgroups.resolve(hierarchy).resolve(group)))
                .flatMap(Optional::stream)
                .findFirst());
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
