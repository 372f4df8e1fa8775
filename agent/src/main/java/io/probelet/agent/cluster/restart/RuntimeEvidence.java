package io.probelet.agent.cluster.restart;

import io.probelet.health.RecentMap;
import io.probelet.health.Threads;
import io.probelet.health.TimeSource;
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
 * deadline, and few at once. Containers that fail together must not fill the memory. Those who ask
 * about the same failure share one reading.
 */
public final class RuntimeEvidence implements EvidenceReader {
  static final int AT_ONCE = 8;

  /** A restart waits no longer than this for a runtime that does not answer. */
  private static final Duration DEADLINE = Duration.ofSeconds(3);

  /** Requests of one outcome of a probe come within this time. */
  private static final Duration SAME_MOMENT = Duration.ofMillis(20);

  private static final int MAX_RECENT = 64;
  private static final Logger LOG = LoggerFactory.getLogger(RuntimeEvidence.class);

  private final ContainerRuntime runtime;
  private final Duration deadline;
  private final Semaphore places = new Semaphore(AT_ONCE, true);
  private final TimeSource time;
  private final Threads threads;
  private final ExecutorService blocking;

  /** Guarded by itself. */
  private final RecentMap<Request, Reading> recent = new RecentMap<>(MAX_RECENT);

  /** What is to be read of a container, and after which time. */
  private record Request(String containerId, Duration after) {}

  /** A reading, and when it was asked for by the monotonic clock. */
  private record Reading(CompletableFuture<ContainerEvidence> evidence, long at) {}

  /**
   * Creates a reader.
   *
   * @param runtime asked; closed by its owner
   * @param time the clock, and where it waits
   */
  public RuntimeEvidence(ContainerRuntime runtime, TimeSource time) {
    this(runtime, time, DEADLINE);
  }

  RuntimeEvidence(ContainerRuntime runtime, TimeSource time, Duration deadline) {
    this.runtime = runtime;
    this.time = time;
    this.threads = time.threads();
    this.deadline = deadline;
    this.blocking =
        Executors.newThreadPerTaskExecutor(threads.ofVirtual().name("evidence-", 0).factory());
  }

  @Override
  public CompletableFuture<ContainerEvidence> read(String containerId, Duration after) {
    Request request = new Request(containerId, after);
    long now = time.nanoTime();
    synchronized (recent) {
      Reading known = recent.get(request);
      if (known == null || now - known.at() >= SAME_MOMENT.toNanos()) {
        known = new Reading(begin(containerId, after), now);
        recent.put(request, known);
      }
      return known.evidence().copy();
    }
  }

  private CompletableFuture<ContainerEvidence> begin(String containerId, Duration after) {
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
