package io.probelet.agent.cluster.restart;

import io.probelet.health.Threads;
import io.probelet.probe.runtime.ContainerEvidence;
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.probe.runtime.ContainerRuntimeException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads evidence through a runtime, which may be slow: each on a thread of its own, with a
 * deadline, and few at once. Containers that fail together must not fill the memory.
 */
public final class RuntimeEvidence implements EvidenceReader {
  static final int AT_ONCE = 8;

  /** A restart waits no longer than this for a runtime that does not answer. */
  private static final Duration DEADLINE = Duration.ofSeconds(3);

  private static final Logger LOG = LoggerFactory.getLogger(RuntimeEvidence.class);

  private final ContainerRuntime runtime;
  private final Duration deadline;
  private final Semaphore places = new Semaphore(AT_ONCE, true);
  private final Threads threads;
  private final ExecutorService blocking;

  /**
   * Creates a reader.
   *
   * @param runtime asked; closed by its owner
   * @param threads where it waits
   */
  public RuntimeEvidence(ContainerRuntime runtime, Threads threads) {
    this(runtime, threads, DEADLINE);
  }

  RuntimeEvidence(ContainerRuntime runtime, Threads threads, Duration deadline) {
    this.runtime = runtime;
    this.threads = threads;
    this.deadline = deadline;
    this.blocking =
        Executors.newThreadPerTaskExecutor(threads.ofVirtual().name("evidence-", 0).factory());
  }

  @Override
  public CompletableFuture<ContainerEvidence> read(String containerId, Duration after) {
    CompletableFuture<ContainerEvidence> read = new CompletableFuture<>();
    Future<?> reading = blocking.submit(() -> read.complete(readLater(containerId, after)));
    return threads
        .completeOnTimeout(read, ContainerEvidence.NONE, after.plus(deadline))
        .whenComplete((_, _) -> reading.cancel(true)); // which gives back its place
  }

  private ContainerEvidence readLater(String containerId, Duration after) {
    try {
      threads.sleep(after);
      places.acquire();
      try {
        return runtime.evidence(containerId);
      } finally {
        places.release();
      }
    } catch (ContainerRuntimeException | RuntimeException unable) {
      LOG.debug("cannot read evidence of container {}", containerId, unable);
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
    return ContainerEvidence.NONE;
  }
}
