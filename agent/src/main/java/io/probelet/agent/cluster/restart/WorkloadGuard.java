package io.probelet.agent.cluster.restart;

import io.probelet.agent.cluster.pods.ClusterPod;
import io.probelet.agent.cluster.pods.KnownPods;
import io.probelet.agent.cluster.restart.WorkloadAsks.Ask;
import io.probelet.agent.cluster.restart.WorkloadHolds.Container;
import io.probelet.agent.cluster.restart.WorkloadHolds.Hold;
import io.probelet.agent.cluster.restart.WorkloadReport.Passed;
import io.probelet.agent.config.WorkloadGuardSettings;
import io.probelet.health.Alarm;
import io.probelet.health.SerialLoop;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.kube.workload.RestartEntries;
import io.probelet.kube.workload.RestartEntries.Entry;
import io.probelet.kube.workload.Workload;
import io.probelet.probe.PodRef;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the {@link WorkloadGate} and the {@link ReadinessBudget} answer, and why: for each workload
 * it makes one request after the other, and takes pods out that are well again. All but {@link
 * #isWatched} and {@link #hold} is for tasks of its loop.
 *
 * @param <D> what is to happen to a container or pod
 */
final class WorkloadGuard<D> {
  private static final Logger LOG = LoggerFactory.getLogger(WorkloadGuard.class);

  /** How long the API server is not asked after it has not answered. */
  static final Duration AWAY = Duration.ofSeconds(10);

  /** How long the controller may take to say how many replicas there are. */
  static final Duration REPLICAS_WITHIN = Duration.ofSeconds(10);

  /** For how long it is taken for certain then that there is no such controller. */
  static final Duration NO_CONTROLLER = Duration.ofMinutes(10);

  private static final Duration ROUND = Duration.ofSeconds(5);

  private final Supplier<WorkloadGuardSettings> settings;
  private final RestartEntries entries;
  private final KnownPods known;
  private final GuardReport<D> report;
  private final TimeSource time;
  private final SerialLoop loop;
  private final Executor blocking;
  private final Alarm round;

  /** What a probe that succeeds may change; any container of a pod where the name is empty. */
  private final Set<Container> watched = ConcurrentHashMap.newKeySet();

  private final WorkloadHolds holds = new WorkloadHolds();

  // Of the loop only.
  private final RestartingPods pods = new RestartingPods();
  private final WorkloadAsks<D> asks = new WorkloadAsks<>();
  private final Map<PodRef, Workload> workloads = new HashMap<>();
  private final Set<Workload> postponed = new HashSet<>();
  private @Nullable Long awaySince;
  private @Nullable Long noControllerSince;

  WorkloadGuard(
      Supplier<WorkloadGuardSettings> settings,
      RestartEntries entries,
      KnownPods known,
      GuardReport<D> report,
      TimeSource time,
      Executor blocking,
      SerialLoop loop) {
    this.settings = settings;
    this.entries = entries;
    this.known = known;
    this.report = report;
    this.time = time;
    this.blocking = blocking;
    this.loop = loop;
    this.round = loop.alarm(this::round);
  }

  /** Starts removing recovered pods from the restart budget. */
  void start() {
    round.set(ROUND);
  }

  /** Whether a container is held or restarts, as far as is known; for any thread. */
  boolean isWatched(Container container) {
    return watched.contains(container) || watched.contains(new Container(container.pod(), ""));
  }

  /** What holds a container's restart; null for nothing. For any thread. */
  @Nullable Hold hold(Container container) {
    return holds.of(container);
  }

  /**
   * A container is to be restarted, or a pod to be not ready.
   *
   * @param container whose name is empty for the whole pod
   * @param instance of the container; empty for the whole pod
   */
  void asked(
      D decision,
      Container container,
      String instance,
      Workload of,
      CompletableFuture<Boolean> answer) {
    long now = time.nanoTime();
    Hold hold = holds.of(container);
    boolean anyway = hold != null && hold.length(now).compareTo(settings.get().maxHold()) >= 0;
    Ask<D> ask = new Ask<>(decision, of, container, instance, anyway, answer);
    if (pods.has(of, ask.pod())) {
      goesOn(ask); // such as another container of a pod that restarts
    } else if (hold != null && !anyway && hold.pauses(now)) {
      report.held(decision, hold.why());
      answer.complete(false);
    } else if (!entries.fits()) {
      passes(ask, Passed.BOUNDS, "the name of this node is too long for the key of an annotation");
    } else if (!asks.hasRoom(of, pods.workloads())) {
      passes(ask, Passed.BOUNDS, "too many workloads of this node are restarting");
    } else {
      asks.add(ask);
      next(of);
    }
  }

  /** Does what is next for a workload, unless something is under way for it. */
  private void next(Workload workload) {
    loop.requireInLoop();
    if (asks.isBusy(workload)) {
      return;
    }
    Set<String> leaving = pods.leaving(workload);
    if (!leaving.isEmpty() && !isAway() && !postponed.contains(workload)) {
      call(
          workload,
          () -> entries.leave(workload, leaving),
          bug -> Optional.of(bug),
          failure -> left(workload, leaving, failure));
      return;
    }
    Ask<D> ask = asks.poll(workload);
    while (ask != null && isAway()) {
      passes(ask, Passed.API, "the API server does not respond");
      ask = asks.poll(workload);
    }
    if (ask != null) {
      enter(ask);
    }
  }

  private void enter(Ask<D> ask) {
    int percent = settings.get().percent();
    call(
        ask.workload(),
        () -> entries.enter(ask.workload(), ask.pod(), percent, ask.anyway()),
        Entry.Failed::new,
        entry -> entered(ask, entry));
  }

  private <T> void call(
      Workload workload, Supplier<T> request, Function<ApiResult, T> failed, Consumer<T> then) {
    asks.begin(workload);
    blocking.execute(() -> {
      T result;
      try {
        result = request.get();
      } catch (RuntimeException bug) {
        LOG.error("internal error in the workload guard, continuing", bug);
        result = failed.apply(new Unanswered(bug.toString()));
      }
      T answer = result;
      // As an alarm: it must not be refused because too many wait.
      var _ =
          loop.after(
              Duration.ZERO,
              () -> {
                asks.end(workload);
                then.accept(answer);
                next(workload);
              });
    });
  }

  private void entered(Ask<D> ask, Entry entry) {
    switch (entry) {
      case Entry.In(List<String> here) -> {
        report.known();
        adopt(ask.workload(), here);
        goesOn(ask);
      }
      case Entry.Held(String why, List<String> here) -> {
        report.known();
        adopt(ask.workload(), here);
        asks.replicasKnown(ask.workload());
        if (ask.anyway()) {
          goesOn(ask);
        } else {
          held(ask, why);
          asks.pollOthers(ask.workload()).forEach(other -> held(other, why)); // the same for all
        }
      }
      case Entry.ReplicasUnknown _ -> replicasUnknown(ask);
      case Entry.Failed(ApiResult failure) -> {
        awaySince = time.nanoTime();
        passes(ask, Passed.API, failure.summary());
        stopped(ask); // for it may be in
      }
    }
  }

  private void replicasUnknown(Ask<D> ask) {
    long now = time.nanoTime();
    report.known();
    boolean certain =
        noControllerSince != null && now - noControllerSince < NO_CONTROLLER.toNanos();
    if (!certain && asks.unknownFor(ask.workload(), now).compareTo(REPLICAS_WITHIN) < 0) {
      held(ask, "the number of replicas of %s is not known yet".formatted(ask.workload()));
      return;
    }
    if (!certain) {
      noControllerSince = now;
    }
    report.passed(
        Passed.REPLICAS,
        "the number of replicas of %s is unknown: enable the restart-guard part of the controller"
            .formatted(ask.workload()));
    holds.over(ask.container());
    enter(ask.allTheSame()); // counted, for when somebody does
  }

  private void held(Ask<D> ask, String why) {
    watched.add(ask.container());
    holds.held(ask.container(), why, time.nanoTime());
    report.held(ask.decision(), why);
    ask.answer().complete(false);
  }

  private void passes(Ask<D> ask, Passed reason, String why) {
    report.passed(reason, why);
    holds.over(ask.container());
    ask.answer().complete(true);
  }

  private void goesOn(Ask<D> ask) {
    Hold hold = holds.of(ask.container());
    if (ask.anyway() && hold != null) {
      report.heldLongEnough(ask.decision(), hold.length(time.nanoTime()), hold.why());
    }
    holds.over(ask.container());
    stopped(ask);
    ask.answer().complete(true);
  }

  private void stopped(Ask<D> ask) {
    PodRef pod = ask.container().pod();
    workloads.put(pod, ask.workload());
    watched.add(ask.container());
    pods.stopped(
        ask.workload(), ask.pod(), ask.container().name(), ask.instance(), time.nanoTime());
    if (known.find(pod).isEmpty()) {
      removed(pod); // since it was asked about
    }
  }

  /** An agent before this one has entered pods, and takes none of them out any more. */
  private void adopt(Workload workload, List<String> here) {
    for (String name : here) {
      if (!pods.has(workload, name)) {
        pods.adopted(workload, name, time.nanoTime());
        Optional<ClusterPod> pod = known.named(workload.namespace(), name);
        if (pod.isPresent()) {
          workloads.put(pod.get().ref(), workload);
          watched.add(new Container(pod.get().ref(), ""));
        } else {
          pods.gone(workload, name);
        }
      }
    }
  }

  private boolean isAway() {
    return awaySince != null && time.nanoTime() - awaySince < AWAY.toNanos();
  }

  private void left(Workload workload, Set<String> leaving, Optional<ApiResult> failure) {
    if (failure.isEmpty()) {
      pods.left(workload, leaving);
    } else if (failure.get().isConflict()) {
      postponed.add(workload); // until the next round: others write it all the time
    } else {
      awaySince = time.nanoTime();
    }
  }

  private void round() {
    try {
      Duration window = settings.get().window();
      pods.expire(window, time.nanoTime()).forEach(pod -> report.expired(pod, window));
      postponed.clear();
      pods.leaving().forEach(this::next);
    } finally {
      round.set(ROUND);
    }
  }

  /** An instance of a container is well; null for that nobody says any more whether it is. */
  void recovered(Container container, @Nullable String id) {
    PodRef pod = container.pod();
    holds.over(container);
    Workload workload = workloads.get(pod);
    if (workload != null) {
      pods.recovered(workload, pod.name(), container.name(), id);
      if (!pods.has(workload, pod.name())) {
        workloads.remove(pod);
        watched.remove(new Container(pod, ""));
      }
      next(workload);
    }
    if (workload == null || !pods.has(workload, pod.name())) {
      watched.remove(container);
    }
  }

  /** A pod is gone. */
  void removed(PodRef pod) {
    watched.removeIf(container -> container.pod().equals(pod));
    holds.over(pod);
    Workload workload = workloads.remove(pod);
    if (workload != null) {
      pods.gone(workload, pod.name());
      next(workload);
    }
  }
}
