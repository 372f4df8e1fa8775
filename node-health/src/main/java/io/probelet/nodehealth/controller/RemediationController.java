package io.probelet.nodehealth.controller;

import io.probelet.health.SerialLoop;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiServer;
import io.probelet.kube.election.Leadership;
import io.probelet.kube.watch.Format;
import io.probelet.kube.watch.Item;
import io.probelet.kube.watch.Selection;
import io.probelet.nodehealth.controller.ReconcileLoop.WatchFeed;
import io.probelet.nodehealth.wire.NodeFormat;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Evaluates NodeHealthChecks for one term of leadership: watches the cluster and feeds the
 * reconciler. A standby keeps nothing in memory.
 */
public final class RemediationController implements AutoCloseable {
  /** The name of the leader's lease. */
  public static final String LEASE = "probelet-remediation";

  private static final Duration STATUS_INTERVAL =
      Duration.ofSeconds(1); // limits the load on the API server (RB-2)

  private final ApiServer api;
  private final RandomGenerator random;
  private final RemediationListener listener;
  private final ReconcileLoop loop;
  private final RemediationEvents events;
  private final RemediationReconciler reconciler;

  /**
   * Creates a controller.
   *
   * @param statusInterval minimum time between two writes of one status
   * @param thread makes all decisions; to be closed with this
   */
  RemediationController(
      ApiServer api,
      RemediationSettings settings,
      Duration statusInterval,
      TimeSource time,
      RandomGenerator random,
      RemediationListener listener,
      Leadership term,
      SerialLoop thread) {
    this.api = api;
    this.random = random;
    this.listener = listener;
    loop = new ReconcileLoop(thread, time);
    events = new RemediationEvents(api, term, time, random, settings, listener);
    reconciler =
        new RemediationReconciler(
            api, settings, statusInterval, time, random, events, listener, term, loop);
    loop.start(reconciler::work, () -> loop.until(reconciler.nextMoment()));
    loop.post(reconciler::watchKinds);
    watch(
        Kind.NODE,
        Kind.NODE.collection(null),
        new NodeFormat(),
        node -> reconciler.nodeChanged(node.value()),
        reconciler::nodeGone);
    watch(
        Kind.CHECK,
        Kind.CHECK.collection(null),
        Kind.CHECK.format(),
        check -> reconciler.checkChanged(check.value()),
        reconciler::checkGone);
    watch(
        Kind.LEASE,
        Kind.LEASE.collection(settings.leaseNamespace()),
        Kind.LEASE.format(),
        lease -> reconciler.leaseChanged(lease.value()),
        lease -> reconciler.leaseGone(lease.value()));
  }

  /**
   * Starts.
   *
   * @param api the API server; its request timeout is shorter than the time until another replica
   *     takes over
   * @param random spreads retries; used by several threads
   * @param term the term in which it may write
   * @return the running controller, to be closed at the end of the term
   */
  public static RemediationController start(
      ApiServer api,
      RemediationSettings settings,
      TimeSource time,
      RandomGenerator random,
      RemediationListener listener,
      Leadership term) {
    return new RemediationController(
        api,
        settings,
        STATUS_INTERVAL,
        time,
        random,
        listener,
        term,
        ReconcileLoop.thread("remediation", time.threads()));
  }

  private <T> void watch(
      Kind kind, String path, Format<T> format, Consumer<Item<T>> changed, Consumer<Item<T>> gone) {
    loop.watch(
        api,
        Selection.all(kind.kind(), path),
        format,
        new WatchFeed<>(loop, kind, changed, gone, () -> reconciler.listed(kind.kind())),
        random);
  }

  /**
   * {@return the state of remediation}
   *
   * @throws java.util.concurrent.RejectedExecutionException after the end
   */
  public CompletableFuture<RemediationReport> report() {
    return loop.ask(() -> new RemediationReport(reconciler.report()));
  }

  /** Stops. It does not wait for running work, which has no effect after the end of the term. */
  @Override
  public void close() {
    loop.close();
    events.close();
    reconciler.close();
    listener.retired();
  }
}
