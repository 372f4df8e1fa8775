package io.probelet.agent.cluster.restart;

import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.agent.cluster.pods.KnownPods;
import io.probelet.agent.cluster.restart.WorkloadHolds.Container;
import io.probelet.agent.cluster.restart.WorkloadHolds.Hold;
import io.probelet.agent.config.WorkloadGuardSettings;
import io.probelet.health.SerialLoop;
import io.probelet.health.TimeSource;
import io.probelet.kube.workload.RestartEntries;
import io.probelet.kube.workload.Workload;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.engine.RestartGate;
import io.probelet.web.explain.RestartForecast.Held;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a liveness restart on hold while too many replicas of the workload restart anywhere in the
 * cluster (D-8), and fails open when that is unknown (D-10).
 *
 * <pre>
 *   pod's loop          own loop                       a thread for each workload
 *   ask ──────────────► held lately? ── yes: no
 *                       API away?    ── yes: go
 *                       │ otherwise ─────────────────► read, decide, write the lease
 *   stop / probe on ◄── answer ◄────────────────────── in / held / nobody knows
 * </pre>
 */
public final class WorkloadGate implements RestartGate, ProbeListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(WorkloadGate.class);
  private static final int MAX_WAITING = 1024;

  private final Supplier<WorkloadGuardSettings> settings;
  private final KnownPods known;
  private final TimeSource time;
  private final WorkloadReport report;
  private final SerialLoop loop;
  private final ExecutorService blocking;
  private final WorkloadGuard<RestartDecision> guard;

  /**
   * Creates a gate that removes no entries before {@link #start}.
   *
   * @param settings when restarts are held; asked each time
   */
  public WorkloadGate(
      Supplier<WorkloadGuardSettings> settings,
      RestartEntries entries,
      KnownPods known,
      SuppressedRestarts kept,
      TimeSource time) {
    this.settings = settings;
    this.known = known;
    this.time = time;
    this.report = new WorkloadReport(kept);
    this.blocking =
        Executors.newThreadPerTaskExecutor(
            time.threads().ofVirtual().name("workload-guard-", 0).factory());
    this.loop =
        SerialLoop.startVirtual(
            time.threads(),
            "workload-guard",
            MAX_WAITING,
            bug -> LOG.error("internal error in the workload guard, continuing", bug));
    this.guard = new WorkloadGuard<>(settings, entries, known, report, time, blocking, loop);
  }

  /** Starts removing recovered pods from the restart budget. */
  public void start(MeterRegistry metrics) {
    report.addTo(metrics);
    guard.start();
  }

  /** {@inheritDoc} Holds apply only through {@link #ask}. */
  @Override
  public boolean allows(RestartDecision decision) {
    return true;
  }

  @Override
  public CompletableFuture<Boolean> ask(RestartDecision decision) {
    PodRef ref = decision.subject().pod();
    Optional<Workload> workload = known.find(ref).flatMap(pod -> pod.owner().workload());
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    Container container = Container.of(decision.subject());
    if (!settings.get().enabled()
        || decision.subject().kind() != ProbeKind.LIVENESS
        || workload.isEmpty()
        || !loop.offer(() ->
            guard.asked(decision, container, decision.containerId(), workload.get(), answer))) {
      answer.complete(true);
    }
    return answer;
  }

  @Override
  public void probed(Probed probe) {
    ProbeSubject subject = probe.subject();
    boolean well =
        probe.outcome().verdict() instanceof Verdict.Success
            || probe.outcome().verdict() instanceof Verdict.Warning;
    if (well && subject.kind() == ProbeKind.LIVENESS && probe.consecutive() >= probe.threshold()) {
      recovered(subject, probe.containerId());
    }
  }

  /** {@inheritDoc} The container's health is no longer known. */
  @Override
  public void workerEnded(ProbeSubject subject) {
    if (subject.kind() == ProbeKind.LIVENESS) {
      recovered(subject, null);
    }
  }

  /** {@return what holds a container's liveness restart; empty if nothing is known to} */
  Optional<Held> expected(PodRef pod, String container) {
    Hold hold = settings.get().enabled() ? guard.hold(new Container(pod, container)) : null;
    if (hold == null) {
      return Optional.empty();
    }
    Duration left = settings.get().maxHold().minus(hold.length(time.nanoTime()));
    return left.isPositive()
        ? Optional.of(new Held(hold.why(), time.wallTime().plus(left)))
        : Optional.empty();
  }

  /** {@return whether the replicas of a pod's workload are counted before it is restarted} */
  boolean counts(PodRef pod) {
    return settings.get().enabled()
        && known.find(pod).flatMap(each -> each.owner().workload()).isPresent();
  }

  private void recovered(ProbeSubject subject, @Nullable String id) {
    Container container = Container.of(subject);
    if (guard.isWatched(container)) {
      var _ = loop.offer(() -> guard.recovered(container, id));
    }
  }

  @Override
  public void podRemoved(PodRef pod) {
    var _ = loop.offer(() -> guard.removed(pod));
  }

  /** Ends; what is entered stays so until an agent after this one, or the leader, takes it out. */
  @Override
  public void close() {
    loop.close();
    blocking.shutdownNow();
  }
}
