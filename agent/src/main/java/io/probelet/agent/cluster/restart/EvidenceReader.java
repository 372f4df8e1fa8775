package io.probelet.agent.cluster.restart;

import io.probelet.probe.runtime.ContainerEvidence;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Reads what the kernel says about a container. */
@FunctionalInterface
public interface EvidenceReader {
  /** Where nothing can be read. */
  EvidenceReader NONE = (_, _) -> CompletableFuture.completedFuture(ContainerEvidence.NONE);

  /**
   * Reads it; does not block.
   *
   * @param containerId which container
   * @param after how long to wait before reading, zero or more
   * @return what could be read then, possibly nothing. Never fails
   */
  CompletableFuture<ContainerEvidence> read(String containerId, Duration after);
}
