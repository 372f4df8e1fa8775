package io.probelet.agent.cluster.restart;

import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.CpuQuota;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads quotas from a runtime, which may be slow: each on a thread of its own, with a deadline. */
public final class RuntimeQuotas implements QuotaReader {
  private static final Logger LOG = LoggerFactory.getLogger(RuntimeQuotas.class);

  /** A restart waits no longer than this for a runtime that does not answer. */
  private static final Duration DEADLINE = Duration.ofSeconds(3);

  private final ContainerRuntime runtime;
  private final ExecutorService blocking =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("quota-", 0).factory());

  /**
   * Creates a reader.
   *
   * @param runtime asked; closed by its owner
   */
  public RuntimeQuotas(ContainerRuntime runtime) {
    this.runtime = runtime;
  }

  @Override
  public CompletableFuture<Optional<CpuQuota>> read(String containerId, Duration after) {
    return CompletableFuture.supplyAsync(
            () -> read(containerId),
            after.isZero()
                ? blocking
                : CompletableFuture.delayedExecutor(
                    after.toMillis(), TimeUnit.MILLISECONDS, blocking))
        .completeOnTimeout(Optional.empty(), after.plus(DEADLINE).toMillis(), TimeUnit.MILLISECONDS)
        .exceptionally(_ -> Optional.empty());
  }

  private Optional<CpuQuota> read(String containerId) {
    try {
      return runtime.cpuQuota(containerId);
    } catch (ContainerRuntimeException unable) {
      LOG.debug("cannot read the CPU quota of container {}", containerId, unable);
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
    return Optional.empty();
  }
}
