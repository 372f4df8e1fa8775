package io.probelet.kube.election;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.SerialLoop;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiServer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the leader of an election does, and nobody else: opened for each term, known to others while
 * the term lasts, and closed at its end.
 */
public final class LeaderTask<T extends AutoCloseable> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderTask.class);

  private final LeaderElection election;
  private volatile @Nullable T current;

  /**
   * Begins to take part in the election.
   *
   * @param client the author's to close, afterwards
   * @param candidate of the node or the pod, by which a reader knows the leader; made unique here,
   *     so that a process does not take the lease of one of the same name for its own
   * @param random spreads what many candidates do; used by a thread of the election's
   * @param opener opens the work for a term; that, and to close it, must be quick
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
    election =
        new LeaderElection(
            ApiServer.of(client, timing.timeout()),
            namespace,
            lease,
            LeaderElection.identity(candidate),
            timing,
            time,
            random,
            term -> hold(opener.apply(term)),
            SerialLoop.start(
                "leader-election",
                1, // it has an alarm, and its end
                bug ->
                    LOG.error(
                        "internal error in leader election, continuing lease={}", lease, bug)));
  }

  /** {@return who leads, as far as known; empty if nobody does} */
  public Optional<String> leader() {
    return election.leader();
  }

  /** {@return what was opened for the term that lasts; empty if this is not the leader} */
  public Optional<T> current() {
    return Optional.ofNullable(current);
  }

  /**
   * Asks the leader.
   *
   * @param question returns at once
   * @return the answer; empty if this is not the leader
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
      return Optional.of(question.apply(leading).get(timeout.toMillis(), TimeUnit.MILLISECONDS));
    } catch (RejectedExecutionException over) { // since it was asked whether we lead
      return Optional.empty();
    } catch (ExecutionException mistake) {
      throw new IllegalStateException(mistake.getCause());
    }
  }

  /** Ends the work, and gives the lease back so that another leads at once. */
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
