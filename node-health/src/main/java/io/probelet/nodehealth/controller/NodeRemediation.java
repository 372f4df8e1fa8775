package io.probelet.nodehealth.controller;

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
 * Node remediation in a cluster: takes part in the leader election, and while it leads evaluates
 * NodeHealthChecks. A standby keeps nothing in memory.
 */
public final class NodeRemediation implements AutoCloseable {
  /** The name of the leader's lease. */
  public static final String LEASE = "probelet-remediation";

  private static final Duration REPORT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration STATUS_INTERVAL =
      Duration.ofSeconds(1); // spares the API server (RB-2)

  private final LedWork<RemediationController> work;

  private NodeRemediation(
      KubernetesClient client,
      RemediationSettings settings,
      TimeSource time,
      RandomGenerator random,
      RemediationListener listener) {
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
   * @param settings names and times
   * @param time the clocks
   * @param random spreads when the API server is asked again; used by several threads
   * @param listener takes what happens to remediations
   * @return to be closed
   */
  public static NodeRemediation start(
      KubernetesClient client,
      RemediationSettings settings,
      TimeSource time,
      RandomGenerator random,
      RemediationListener listener) {
    return new NodeRemediation(client, settings, time, random, listener);
  }

  /** {@return who leads, as far as known; empty if nobody does} */
  public Optional<String> leader() {
    return work.leader();
  }

  /**
   * Reports how remediation stands.
   *
   * @return the report; empty if this is not the leader
   * @throws TimeoutException if there is no answer in time
   * @throws InterruptedException if the thread was interrupted
   */
  public Optional<RemediationReport> report() throws TimeoutException, InterruptedException {
    return work.ask(RemediationController::report, REPORT_TIMEOUT);
  }

  /** Stops, and gives the lease back so that another leads at once. */
  @Override
  public void close() {
    work.close();
  }

  private static RemediationController open(
      KubernetesClient client,
      RemediationSettings settings,
      TimeSource time,
      RandomGenerator random,
      RemediationListener listener,
      Term term) {
    return new RemediationController(
        ApiServer.of(client, settings.requestTimeout()),
        settings,
        STATUS_INTERVAL,
        time,
        random,
        listener,
        term,
        ReconcileLoop.thread());
  }
}
