package io.probelet.agent.incident;

import io.probelet.agent.incident.ProbeTrack.Reading;
import io.probelet.agent.incident.ProbeTrack.Seen;
import io.probelet.health.Threads;
import io.probelet.probe.runtime.ContainerEvidence;
import io.probelet.web.incident.IncidentNode;
import io.probelet.web.incident.KernelFacts;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the kernel counted from one reading to another.
 *
 * @param first the reading at the first failure; null if there was none
 * @param last the newest reading; null if there was none
 */
record KernelWindow(@Nullable Reading first, @Nullable Reading last) {
  /** Nothing was read. */
  static final KernelWindow NONE = new KernelWindow(null, null);

  private static final Logger LOG = LoggerFactory.getLogger(KernelWindow.class);

  /** No incident waits longer for a part of its evidence. */
  private static final Duration DEADLINE = Duration.ofSeconds(5);

  /** {@return what the container did; null if nothing could be read. Waits for the readings} */
  @Nullable KernelFacts container(Threads threads) {
    if (first == null || last == null) {
      return null;
    }
    Seen before = within(threads, first.container(), new Seen(ContainerEvidence.NONE, first.at()));
    Seen now = within(threads, last.container(), new Seen(ContainerEvidence.NONE, last.at()));
    if (now.evidence().equals(ContainerEvidence.NONE)) {
      now = before; // it ended meanwhile
    }
    return now.evidence().equals(ContainerEvidence.NONE)
        ? null
        : KernelFacts.between(
            before.evidence(),
            now.evidence(),
            Duration.ofNanos(Math.max(0, now.at() - before.at())));
  }

  /**
   * {@return the node meanwhile}
   *
   * @param conditions the conditions that are not healthy
   * @param failing other containers with a failing probe
   * @param containers containers that are probed
   */
  IncidentNode node(List<String> conditions, int failing, int containers) {
    return IncidentNode.between(
        first == null ? null : first.node(),
        last == null ? null : last.node(),
        length(),
        conditions,
        failing,
        containers);
  }

  private Duration length() {
    return first == null || last == null ? Duration.ZERO : Duration.ofNanos(last.at() - first.at());
  }

  /**
   * {@return an answer, for which nobody waits longer than some seconds; otherwise another value}
   */
  static <T> T within(Threads threads, CompletableFuture<T> answer, T otherwise) {
    try {
      return threads.get(answer, DEADLINE);
    } catch (ExecutionException | TimeoutException missing) {
      LOG.debug("evidence of an incident is missing", missing);
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
    return otherwise;
  }
}
