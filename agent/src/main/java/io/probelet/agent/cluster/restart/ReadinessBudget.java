package io.probelet.agent.cluster.restart;

import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.agent.cluster.pods.ClusterPod;
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
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.engine.ProbeListener;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the readiness gate of a pod True for a while if too many replicas of its workload answer at
 * once that they are not ready, as they do when something fails that all of them need (D-22). Pods
 * that do not answer turn unready at once. Counts in the cluster as the {@link WorkloadGate} does.
 */
public final class ReadinessBudget implements UnreadyGate, ProbeListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReadinessBudget.class);
  private static final int MAX_WAITING = 1024;

  /** Of failures in which the container has answered: it runs, and takes requests. */
  private static final Set<Verdict.Cause> ANSWERS =
      EnumSet.of(
          Verdict.Cause.STATUS, Verdict.Cause.BODY, Verdict.Cause.EXPECT, Verdict.Cause.EXIT_CODE);

  private final Supplier<WorkloadGuardSettings> settings;
  private final ReadinessReport report;
  private final SerialLoop loop;
  private final Executor blocking;
  private final WorkloadGuard<ClusterPod> guard;

  /** The instances whose last readiness probe failed with an answer. */
  private final Map<ProbeSubject, String> answered = new ConcurrentHashMap<>();

  /**
   * Creates a budget that removes no entries before {@link #start}.
   *
   * @param settings whether and for how long pods are kept ready; asked each time
   * @param entries of the readiness budget
   * @param events takes what is reported of pods
   */
  public ReadinessBudget(
      Supplier<WorkloadGuardSettings> settings,
      RestartEntries entries,
      KnownPods known,
      ReadinessEvents events,
      TimeSource time) {
    this(
        settings,
        entries,
        known,
        events,
        time,
        SerialLoop.startVirtual(
            time.threads(),
            "readiness-budget",
            MAX_WAITING,
            bug -> LOG.error("internal error in the readiness budget, continuing", bug)),
        Executors.newThreadPerTaskExecutor(
            time.threads().ofVirtual().name("readiness-budget-", 0).factory()));
  }

  /** The same on a loop and threads of the caller's. */
  ReadinessBudget(
      Supplier<WorkloadGuardSettings> settings,
      RestartEntries entries,
      KnownPods known,
      ReadinessEvents events,
      TimeSource time,
      SerialLoop loop,
      Executor blocking) {
    this.settings = settings;
    this.report = new ReadinessReport(events);
    this.loop = loop;
    this.blocking = blocking;
    this.guard = new WorkloadGuard<>(settings, entries, known, report, time, blocking, loop);
  }

  /** Starts removing pods from the budget. */
  public void start(MeterRegistry metrics) {
    report.addTo(metrics);
    guard.start();
  }

  @Override
  public CompletableFuture<Boolean> ask(ClusterPod pod, Set<String> containers) {
    Optional<Workload> workload = pod.owner().workload();
    CompletableFuture<Boolean> answer = new CompletableFuture<>();
    boolean counts =
        settings.get().enabled()
            && workload.isPresent()
            && !pod.reported().deleting()
            && allAnswered(pod.ref(), containers);
    if (!counts && guard.hold(whole(pod.ref())) != null) {
      ready(pod.ref()); // it has been held, and what held it no longer applies
    }
    if (!counts
        || !loop.offer(
            () -> guard.asked(pod, whole(pod.ref()), "", workload.orElseThrow(), answer))) {
      answer.complete(true);
    }
    return answer;
  }

  private boolean allAnswered(PodRef pod, Set<String> containers) {
    return containers.stream()
        .allMatch(name -> answered.containsKey(new ProbeSubject(pod, name, ProbeKind.READINESS)));
  }

  private static Container whole(PodRef pod) {
    return new Container(pod, "");
  }

  @Override
  public void ready(PodRef pod) {
    var _ =
        loop.offer(() -> {
          report.over(pod);
          guard.recovered(whole(pod), null);
        });
  }

  /** {@return why a pod's gate stays True though the pod is not ready; empty if it does not} */
  public List<String> warnings(PodRef pod) {
    Hold hold = settings.get().enabled() ? guard.hold(whole(pod)) : null;
    return hold == null
        ? List.of()
        : List.of("the readiness gate stays True for now: " + hold.why());
  }

  @Override
  public void probed(Probed probe) {
    ProbeSubject subject = probe.subject();
    if (subject.kind() != ProbeKind.READINESS) {
      return;
    }
    switch (probe.outcome().verdict()) {
      case Verdict.Failure failure when ANSWERS.contains(failure.cause()) -> {
        if (settings.get().enabled()) {
          answered.put(subject, probe.containerId());
        }
      }
      case Verdict.ProberError _ -> {} // says nothing of the container
      default -> {
        if (!answered.isEmpty()) { // nearly always
          answered.remove(subject);
        }
      }
    }
  }

  /** A container that does not run, or another instance of it, has not answered. */
  @Override
  public void containerChanged(@Nullable ContainerStatus before, ContainerStatus now) {
    ProbeSubject subject = new ProbeSubject(now.pod(), now.name(), ProbeKind.READINESS);
    String id = answered.get(subject);
    if (id != null && (!now.observation().running() || !id.equals(now.observation().id()))) {
      answered.remove(subject);
    }
  }

  @Override
  public void workerEnded(ProbeSubject subject) {
    answered.remove(subject);
  }

  @Override
  public void podRemoved(PodRef pod) {
    var _ =
        loop.offer(() -> {
          report.over(pod);
          guard.removed(pod);
        });
  }

  /** Ends; entries stay until an agent after this one, or the leader, takes them out. */
  @Override
  public void close() {
    loop.close();
    if (blocking instanceof ExecutorService threads) {
      threads.shutdownNow();
    }
  }
}
