package io.probelet.remediator.controller;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiServer;
import io.probelet.kube.election.LedWork;
import io.probelet.kube.election.Term;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.random.RandomGenerator;

/**
 * The remediators of a cluster: take part in the leader election, and while they lead carry
 * remediations out. A standby keeps nothing in memory.
 */
public final class NodeRemediators implements AutoCloseable {
  /** The name of the leader's lease. */
  public static final String LEASE = "probelet-remediators";

  private static final Duration REPORT_TIMEOUT = Duration.ofSeconds(5);

  private final LedWork<RemediatorTerm> work;

  private NodeRemediators(
      KubernetesClient client,
      RemediatorSettings settings,
      TimeSource time,
      RandomGenerator random,
      RemediatorListener listener) {
    work =
        LedWork.start(
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
    return work.leader();
  }

  /**
   * Reports how all remediations stand.
   *
   * @return the report; empty if this is not the leader
   * @throws TimeoutException if there is no answer in time
   * @throws InterruptedException if the thread was interrupted
   */
  public Optional<RemediatorReport> report() throws TimeoutException, InterruptedException {
    return work.ask(RemediatorTerm::ask, REPORT_TIMEOUT);
  }

  /** Stops, and gives the lease back so that another leads at once. */
  @Override
  public void close() {
    work.close();
  }

  private static RemediatorTerm open(
      KubernetesClient client,
      RemediatorSettings settings,
      TimeSource time,
      RandomGenerator random,
      RemediatorListener listener,
      Term term) {
    return new RemediatorTerm(
        ApiServer.of(client, settings.requestTimeout()),
        settings,
        time,
        random,
        listener,
        term,
        RemediatorTerm.thread());
  }
}
