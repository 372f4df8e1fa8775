package io.probelet.agent.cluster.restart;

import io.probelet.probe.runtime.CpuQuota;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Reads how the kernel holds a container to its own CPU limit. */
@FunctionalInterface
public interface QuotaReader {
  /** Where no limit can be read. */
  QuotaReader NONE = (_, _) -> CompletableFuture.completedFuture(Optional.empty());

  /**
   * Reads it; does not block.
   *
   * @param containerId which container
   * @param after how long to wait before reading, zero or more
   * @return what was counted until then; empty without a limit, or where it cannot be read. Never
   *     fails
   */
  CompletableFuture<Optional<CpuQuota>> read(String containerId, Duration after);
}
