package io.probelet.kube.election;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.SerialLoop;
import io.probelet.health.Threads;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiServer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leader's work: opened on gaining leadership, available to callers while it lasts, and closed
 * on losing it.
 */
public final class LeaderTask<T extends AutoCloseable> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderTask.class);

  private final LeaderElection election;
  private final Threads threads;
  private volatile @Nullable T current;

  /**
   * Joins the election.
   *
   * @param client closed by its creator, afterwards
   * @param candidate the name of the node or pod; made unique here, so that a process does not
   *     mistake the lease of another one with the same name for its own
   * @param random makes the candidate's name unique, and spreads the requests of many candidates
   * @param opener opens the work on gaining leadership; opening and closing must be quick
   */
  public LeaderTask(
      KubernetesClient client,
      String namespace,
      String lease,
      String candidate,
      ElectionTiming timing,
      TimeSource time,
      RandomGenerator random,
      Function<Leadership, T> opener) {
    threads = time.threads();
    election =
        new LeaderElection(
            ApiServer.of(client, timing.timeout(), threads),
            namespace,
            lease,
            LeaderElection.identity(candidate, random),
            timing,
            time,
            random,
            term -> hold(opener.apply(term)),
            SerialLoop.start(
                threads,
                "leader-election",
                1, // its timer, and its end
                bug ->
                    LOG.error(
                        "internal error in leader election, continuing lease={}", lease, bug)));
  }

  /** {@return the known leader; empty if there is none} */
  public Optional<String> leader() {
    return election.leader();
  }

  /** {@return the open work; empty if this is not the leader} */
  public Optional<T> current() {
    return Optional.ofNullable(current);
  }

  /**
   * Queries the leader's work.
   *
   * @param question returns at once
   * @return the answer; empty if this process does not lead
   * @throws TimeoutException if there is no answer in time
   * @throws InterruptedException if the thread was interrupted
   */
  public <R> Optional<R> ask(Function<T, CompletableFuture<R>> question, Duration timeout)
      throws TimeoutException, InterruptedException {
    T leading = current;
    if (leading == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(threads.get(question.apply(leading), timeout));
    } catch (RejectedExecutionException over) { // leadership may have been lost since the check
      return Optional.empty();
    } catch (ExecutionException mistake) {
      throw new IllegalStateException(mistake.getCause());
    }
  }

  /** Ends the work and releases the lease, so that another candidate can lead immediately. */
  @Override
  public void close() {
    election.close();
  }

  private AutoCloseable hold(T opened) {
    current = opened;
    return () -> {
      current = null;
      opened.close();
    };
  }
}
