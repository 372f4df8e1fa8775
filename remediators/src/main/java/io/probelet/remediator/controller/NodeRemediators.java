package io.probelet.remediator.controller;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiServer;
import io.probelet.kube.election.LeaderElection;
import io.probelet.kube.election.Term;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The remediators of a cluster: take part in the leader election, and while they lead carry
 * remediations out. A standby keeps nothing in memory.
 */
public final class NodeRemediators implements AutoCloseable {
  /** The name of the leader's lease. */
  public static final String LEASE = "probelet-remediators";

  private static final int REPORT_SECONDS = 5;

  private final LeaderElection election;
  private volatile @Nullable RemediatorTerm leading;

  private NodeRemediators(
      KubernetesClient client,
      RemediatorSettings settings,
      TimeSource time,
      RandomGenerator random,
      RemediatorListener listener) {
    election =
        LeaderElection.start(
            client,
            settings.namespace(),
            LEASE,
            settings.identity(),
            settings.timing(),
            time,
            random,
            term -> open(client, settings, time, random, listener, term));
  }

  /**
   * Begins to take part in the leader election.
   *
   * @param client for the cluster; the author's to close, afterwards
   * @param settings names, kinds and times
   * @param time the clocks
   * @param random spreads when the API server is asked again; used by several threads
   * @param listener takes what happens
   * @return to be closed
   */
  public static NodeRemediators start(
      KubernetesClient client,
      RemediatorSettings settings,
      TimeSource time,
      RandomGenerator random,
      RemediatorListener listener) {
    return new NodeRemediators(client, settings, time, random, listener);
  }

  /** {@return who leads, as far as known; empty if nobody does} */
  public Optional<String> leader() {
    return election.leader();
  }

  /**
   * Reports how all remediations stand.
   *
   * @return the report; empty if this is not the leader
   * @throws TimeoutException if there is no answer in time
   * @throws InterruptedException if the thread was interrupted
   */
  public Optional<RemediatorReport> report() throws TimeoutException, InterruptedException {
    RemediatorTerm term = leading;
    if (term == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(term.ask().get(REPORT_SECONDS, TimeUnit.SECONDS));
    } catch (RejectedExecutionException over) { // since it was asked whether we lead
      return Optional.empty();
    } catch (ExecutionException mistake) {
      throw new IllegalStateException(mistake.getCause());
    }
  }

  /** Stops, and gives the lease back so that another leads at once. */
  @Override
  public void close() {
    election.close();
  }

  private AutoCloseable open(
      KubernetesClient client,
      RemediatorSettings settings,
      TimeSource time,
      RandomGenerator random,
      RemediatorListener listener,
      Term term) {
    RemediatorTerm opened =
        new RemediatorTerm(
            ApiServer.of(client, settings.requestTimeout()),
            settings,
            time,
            random,
            listener,
            term,
            RemediatorTerm.thread());
    leading = opened;
    return () -> {
      leading = null;
      opened.close();
    };
  }
}
