package io.probelet.simulation.node;

import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.simulation.kernel.SimulatedProcess;
import io.probelet.simulation.kernel.Simulation;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A plain model of the kubelet's probe workers, held against one run of an agent and against the
 * truth of its containers. It knows the rules of a worker (W-2 to W-6, W-8, W-12) and nothing of
 * how the agent keeps them:
 *
 * <ul>
 *   <li>A probe succeeds or fails as its container was meanwhile, whatever the agent suffers.
 *   <li>Equal outcomes in a row are counted, and only enough of them are published.
 *   <li>An instance begins with one initial result, and one that an earlier run has probed with
 *       none.
 *   <li>Probes wait for the initial delay, the startup probe, and the next period.
 *   <li>After a decision to stop an instance, its probe rests.
 * </ul>
 */
public final class ProbeRules implements ProbeListener {
  /** Container start times are of the wall clock, and whole seconds in places. */
  private static final Duration CLOCKS = Duration.ofMillis(1_500);

  /** A clock that runs too fast or too slow. */
  private static final Duration DRIFT = Duration.ofMillis(2);

  /** An instance that is older when its agent starts was probed by an earlier run (W-3.4). */
  private static final Duration ADOPTED = Duration.ofSeconds(12);

  private final Simulation world;
  private final SimulatedProcess process;
  private final SimulatedRuntime containers;
  private final Predicate<PodRef> deleting;
  private final Set<String> started;
  private final List<String> broken;
  private final long begin;
  private final Map<ProbeSubject, Worker> workers = new HashMap<>();

  /** What a worker must remember. */
  private static final class Worker {
    private String initial = "";
    private String id = "";
    private @Nullable ProbeResult last;
    private int run;
    private String decided = "";
    private long firstBegan;
    private int begun;
    private long suspended;

    private void sees(String instance) {
      if (!instance.equals(id)) {
        id = instance;
        last = null;
        run = 0;
        begun = 0;
      }
    }
  }

  /**
   * Creates rules for the engine of a process that starts.
   *
   * @param deleting whether a pod has been deleted: from then on a kubelet takes its containers for
   *     started and alive, and begins again with them
   * @param started the instances of the node whose startup probe has succeeded; outlives the run
   * @param broken takes one line for each rule that is broken
   */
  public ProbeRules(
      Simulation world,
      SimulatedProcess process,
      SimulatedRuntime containers,
      Predicate<PodRef> deleting,
      Set<String> started,
      List<String> broken) {
    this.world = world;
    this.process = process;
    this.containers = containers;
    this.deleting = deleting;
    this.started = started;
    this.broken = broken;
    begin = world.now();
  }

  @Override
  public void probed(Probed probe) {
    Worker worker = worker(probe.subject());
    worker.sees(probe.containerId());
    long began = world.now() - probe.duration().toNanos();
    ContainerInstance instance = containers.find(probe.containerId());
    ProbeSpec spec = instance == null ? null : spec(instance, probe.subject().kind());
    if (probe.containerId().equals(worker.decided)) {
      wrong(probe.subject(), probe.containerId(), "was probed after the decision to stop it");
    }
    long suspended = process.machine().suspended();
    boolean slept = suspended != worker.suspended;
    worker.suspended = suspended;
    if (instance != null && spec != null) {
      if (!slept) { // its duration says when it began
        truth(probe, instance, spec, began - DRIFT.toNanos() - probe.duration().toNanos() / 200);
      }
      order(probe, instance, spec, began, worker);
    }
    count(probe, worker);
  }

  private void truth(Probed probe, ContainerInstance instance, ProbeSpec spec, long began) {
    if (spec.handler() instanceof ProbeHandler.Exec) {
      return;
    }
    long now = world.now();
    switch (probe.outcome().verdict()) {
      case Verdict.Failure failure -> {
        if (instance.healthyDuring(began, now, spec.handler(), spec.timeout())) {
          wrong(probe.subject(), instance.id(), "was healthy, but failed: " + failure.text());
        }
      }
      case Verdict.Success _ -> {
        if (probe.duration().compareTo(spec.timeout()) <= 0
            && instance.failedDuring(began, now, spec.handler(), spec.timeout())) {
          wrong(probe.subject(), instance.id(), "was failing, but succeeded");
        }
      }
      default -> {} // says nothing of the container
    }
  }

  private void order(
      Probed probe, ContainerInstance instance, ProbeSpec spec, long began, Worker worker) {
    ProbeKind kind = probe.subject().kind();
    long age = began - instance.start();
    if (age + CLOCKS.toNanos() < spec.initialDelay().toNanos() && clocksAgree(instance)) {
      wrong(
          probe.subject(),
          instance.id(),
          "was probed after " + Duration.ofNanos(age) + ", before its initial delay");
    }
    if (kind != ProbeKind.STARTUP
        && spec(instance, ProbeKind.STARTUP) != null
        && !started.contains(instance.id())
        && !kubeletSawStart(instance)
        && !deleting.test(probe.subject().pod())) {
      wrong(probe.subject(), instance.id(), "was probed before its startup probe had succeeded");
    }
    if (worker.begun++ == 0) {
      worker.firstBegan = began;
    }
    long periods = worker.begun - 2L;
    if (kind != ProbeKind.READINESS
        && began - worker.firstBegan + CLOCKS.toNanos()
            < periods * shortest(spec).toNanos() * 0.98) {
      wrong(
          probe.subject(),
          instance.id(),
          "was probed %d times in %s"
              .formatted(worker.begun, Duration.ofNanos(began - worker.firstBegan)));
    }
  }

  /** W-8: whether an earlier run of the agent, or this one, may take the kubelet's word for it. */
  private boolean kubeletSawStart(ContainerInstance instance) {
    ProbeSpec startup = Objects.requireNonNull(spec(instance, ProbeKind.STARTUP));
    return instance.container().pod().isProbedByKubelet()
        && !instance.failedDuring(
            instance.start(), world.now(), startup.handler(), startup.timeout());
  }

  private static Duration shortest(ProbeSpec spec) {
    Duration failing = spec.failingPeriod();
    return failing == null || failing.compareTo(spec.period()) > 0 ? spec.period() : failing;
  }

  private void count(Probed probe, Worker worker) {
    if (probe.outcome().verdict() instanceof Verdict.ProberError) {
      expect(probe, 0);
      return;
    }
    boolean healthy = probe.outcome().verdict().healthy();
    ProbeResult result = healthy ? ProbeResult.SUCCESS : ProbeResult.FAILURE;
    worker.run = result == worker.last ? worker.run + 1 : 1;
    worker.last = result;
    expect(probe, worker.run);
    ProbeKind kind = probe.subject().kind();
    if (kind == ProbeKind.STARTUP && healthy) {
      started.add(probe.containerId());
    }
    if (kind.restartsContainer() && !healthy && worker.run >= probe.threshold()) {
      worker.run = probe.threshold() - 1; // unless it is stopped, its next failure decides again
    }
  }

  private void expect(Probed probe, int consecutive) {
    if (probe.consecutive() != consecutive) {
      wrong(
          probe.subject(),
          probe.containerId(),
          "had its outcome number %d in a row, and it was counted as %d"
              .formatted(consecutive, probe.consecutive()));
    }
  }

  @Override
  public void published(Published published) {
    Worker worker = worker(published.subject());
    ContainerInstance instance = containers.find(published.containerId());
    if (published.initial()) {
      if (worker.initial.equals(published.containerId())
          && !deleting.test(published.subject().pod())) {
        wrong(published.subject(), published.containerId(), "began with an initial result twice");
      }
      worker.initial = published.containerId();
      if (instance != null
          && instance.running()
          && begin - instance.start() > ADOPTED.toNanos()
          && clocksAgree(instance)) {
        wrong(
            published.subject(),
            published.containerId(),
            "began with an initial result, though an earlier run has probed it");
      }
      return;
    }
    ProbeSpec spec = instance == null ? null : spec(instance, published.subject().kind());
    if (instance == null
        || spec == null
        || !instance.running()
        || (published.result() == ProbeResult.FAILURE && worker.last == null)
        || (published.result() == ProbeResult.SUCCESS
            && published.subject().kind().restartsContainer())) {
      return; // what does not run has failed, and what is being deleted has succeeded
    }
    boolean restarts = published.subject().kind().restartsContainer();
    int needed =
        published.result() == ProbeResult.SUCCESS
            ? spec.successThreshold()
            : spec.failureThreshold() - (restarts ? 1 : 0);
    if (worker.last != published.result() || worker.run < needed) {
      wrong(
          published.subject(),
          published.containerId(),
          "is shown as %s after %d outcomes %s in a row"
              .formatted(published.result(), worker.run, worker.last));
    }
  }

  @Override
  public void restartDecided(RestartDecision decision) {
    worker(decision.subject()).decided = decision.containerId();
  }

  @Override
  public void workerEnded(ProbeSubject subject) {
    workers.remove(subject);
  }

  private Worker worker(ProbeSubject subject) {
    return workers.computeIfAbsent(subject, _ -> new Worker());
  }

  /** Null where the probe was edited since: the agent may know the one or the other. */
  private static @Nullable ProbeSpec spec(ContainerInstance instance, ProbeKind kind) {
    return instance.container().pod().isEdited()
        ? null
        : instance.container().spec().probes().get(kind);
  }

  /** Whether the ages of containers can be told by the wall clock. */
  private boolean clocksAgree(ContainerInstance instance) {
    return process.machine().lastStep() < instance.start();
  }

  private void wrong(ProbeSubject subject, String id, String what) {
    String line =
        "%.3f %s: %s/%s %s %s"
            .formatted(
                world.now() / 1e9,
                subject.kind().label(),
                subject.pod(),
                subject.container(),
                id,
                what);
    broken.add(line);
    world.trace().add(world.now(), "rules", line);
  }
}
