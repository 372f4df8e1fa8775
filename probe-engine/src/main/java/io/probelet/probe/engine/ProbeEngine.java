package io.probelet.probe.engine;

import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbedPod;
import io.probelet.probe.Prober;
import io.probelet.probe.engine.ProbeTurns.PodTurns;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.RuntimeListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Probes pods: runs one worker per (pod, container, kind), feeds it observations, and notifies
 * listeners of results and decisions.
 *
 * <p>All methods are thread-safe. Each passes its work to the loop of the pod and returns
 * immediately.
 */
public final class ProbeEngine implements RuntimeListener {
  private static final Logger LOG = LoggerFactory.getLogger(ProbeEngine.class);

  private final List<Lane> lanes = new ArrayList<>();
  private final List<ProbeListener> listeners = new CopyOnWriteArrayList<>();
  private final ProbeListener fanOut = new FanOut(listeners);

  /** One loop with the pods that live on it; touched on that loop only. */
  private record Lane(
      LoopContext context, Map<PodRef, AddedPod> pods, Map<PodRef, PodObservation> seen) {}

  /** One pod: its containers and whether it is being stopped. */
  private record AddedPod(ProbedPod pod, List<ProbedContainer> containers, PodTurns turns) {}

  /**
   * A loop and the prober that works on it.
   *
   * @param loop where workers live
   * @param prober carries out their probes
   */
  public record LoopProber(ProbeLoop loop, Prober<ProbeHandler> prober) {}

  /**
   * Creates an engine without pods that remembers no statistics. Its creation counts as the start
   * of the agent (W-1, W-3.4).
   *
   * @param loops at least one
   * @param random spreads first ticks and jitter
   * @param gate has the last word on restarts
   * @param limits what probing may cost, whatever the pods ask for
   * @param startups knows what startup probes found before
   */
  public ProbeEngine(
      List<LoopProber> loops,
      RandomGenerator random,
      RestartGate gate,
      ProbeLimits limits,
      StartupMemory startups) {
    this(loops, random, gate, limits, startups, StatisticsMemory.NONE);
  }

  /**
   * Creates an engine without pods. Its creation counts as the start of the agent (W-1, W-3.4).
   *
   * @param loops at least one
   * @param random spreads first ticks and jitter
   * @param gate has the last word on restarts
   * @param limits what probing may cost, whatever the pods ask for
   * @param startups knows what startup probes found before
   * @param memory knows the statistics of probes from before
   */
  public ProbeEngine(
      List<LoopProber> loops,
      RandomGenerator random,
      RestartGate gate,
      ProbeLimits limits,
      StartupMemory startups,
      StatisticsMemory memory) {
    if (loops.isEmpty()) {
      throw new IllegalArgumentException("an engine needs at least one loop");
    }
    for (LoopProber each : loops) {
      long start = each.loop().time().nanoTime();
      lanes.add(
          new Lane(
              new LoopContext(
                  each.loop(),
                  each.prober(),
                  new StallWatch(each.loop()),
                  new ColdStart(each.loop()),
                  new ProbeTurns(each.loop(), new LoopBudget(limits, loops.size(), start)),
                  new LoopActivity(each.loop().time()),
                  random,
                  new StartJitter(start, random),
                  new ResultsManager(),
                  fanOut,
                  gate,
                  startups,
                  new HistoryBudget(HistoryBudget.NODE_BYTES / loops.size(), start),
                  new StatisticsBudget(StatisticsBudget.NODE_BYTES / loops.size()),
                  memory,
                  start),
              new LinkedHashMap<>(),
              new HashMap<>()));
    }
  }

  /**
   * Adds a listener for everything that happens from now on.
   *
   * @param listener called on the pods' loops
   */
  public void addListener(ProbeListener listener) {
    listeners.add(listener);
  }

  /**
   * Samples how late the ticks of one loop's probes come, at most once a second. There are no
   * samples while no probe is due.
   *
   * @param loop which one: its place among the loops that this was created with
   * @param samples takes each sample, zero or more, on the loop; instead of the one before
   * @throws IndexOutOfBoundsException if there is no such loop
   */
  public void sampleLag(int loop, Consumer<Duration> samples) {
    lanes.get(loop).context().pulse().sampleTo(samples);
  }

  /**
   * {@return a listener that forwards to all listeners of this engine} For components that run the
   * engine's decisions and report on them.
   */
  public ProbeListener listeners() {
    return fanOut;
  }

  /** {@return the published results of a pod's loop} */
  ResultsManager results(PodRef pod) {
    return lane(pod).context().results();
  }

  /**
   * Starts probing a pod; a known pod stays unchanged. Pods are equal only if namespace, name and
   * uid agree: uids alone are not trusted.
   *
   * @param pod what to probe
   */
  public void add(ProbedPod pod) {
    on(
        pod.ref(),
        lane -> {
          if (lane.pods().containsKey(pod.ref())) {
            return;
          }
          List<ProbedContainer> cells = new ArrayList<>();
          PodTurns turns = lane.context().turns().open();
          StatisticsBudget.PodShare share = lane.context().statistics().ofPod();
          for (ContainerSpec container : pod.containers()) {
            cells.add(new ProbedContainer(pod, container, lane.context(), turns, share));
          }
          lane.pods().put(pod.ref(), new AddedPod(pod, List.copyOf(cells), turns));
          PodObservation seen = lane.seen().get(pod.ref());
          if (seen != null) {
            each(cells, cell -> cell.observe(seen));
          }
          each(cells, ProbedContainer::start);
        });
  }

  /**
   * Takes what was last seen of a pod, which may be before or after the pod is added.
   *
   * @param observation replaces the one before
   */
  @Override
  public void observed(PodObservation observation) {
    on(
        observation.pod(),
        lane -> {
          lane.seen().put(observation.pod(), observation);
          AddedPod pod = lane.pods().get(observation.pod());
          if (pod != null) {
            each(pod.containers(), cell -> cell.observe(observation));
          }
        });
  }

  /**
   * Records that something of a pod is different that is not observed, such as a label: its
   * containers that are not ready are probed at once (W-9).
   *
   * @param changed which pod
   */
  public void podChanged(PodRef changed) {
    on(
        changed,
        lane -> {
          AddedPod pod = lane.pods().get(changed);
          if (pod != null) {
            each(pod.containers(), ProbedContainer::podChanged);
          }
        });
  }

  /**
   * Records that the runtime no longer reports a pod. Its workers idle until it is reported again
   * or removed.
   *
   * @param gone which pod
   */
  @Override
  public void gone(PodRef gone) {
    on(
        gone,
        lane -> {
          lane.seen().remove(gone);
          AddedPod pod = lane.pods().get(gone);
          if (pod != null) {
            each(pod.containers(), cell -> cell.observe(null));
          }
        });
  }

  /**
   * Ends the liveness and startup workers of a pod that is being stopped; readiness probing
   * continues (W-10).
   *
   * @param pod which one
   */
  public void stopLivenessAndStartup(PodRef pod) {
    on(
        pod,
        lane -> {
          AddedPod cell = lane.pods().get(pod);
          if (cell != null) {
            each(
                cell.containers(),
                container -> container.stop(List.of(ProbeKind.LIVENESS, ProbeKind.STARTUP)));
          }
        });
  }

  /**
   * Ends all workers of a pod and forgets it and its results (W-7).
   *
   * @param pod which one
   */
  public void remove(PodRef pod) {
    on(
        pod,
        lane -> {
          AddedPod cell = lane.pods().remove(pod);
          if (cell != null) {
            forget(cell);
          }
        });
  }

  private void forget(AddedPod pod) {
    each(pod.containers(), ProbedContainer::remove);
    pod.turns().close();
    fanOut.podRemoved(pod.pod().ref());
  }

  /**
   * Removes all pods. Call it before closing the loops: connections that end with their loop would
   * count as failed probes.
   *
   * @return completes when no running probe can count anymore
   */
  public CompletableFuture<Void> removeAll() {
    return CompletableFuture.allOf(
        lanes.stream()
            .map(lane ->
                CompletableFuture.runAsync(
                    () -> {
                      lane.pods().values().forEach(this::forget);
                      lane.pods().clear();
                    },
                    lane.context().loop()))
            .toArray(CompletableFuture[]::new));
  }

  /** {@return all containers with their probes, in the order their pods were added to each loop} */
  public CompletableFuture<List<ContainerSnapshot>> snapshot() {
    return snapshot(HistoryQuery.ALL);
  }

  /**
   * Takes a snapshot with less of the past, which is most of what a snapshot costs.
   *
   * @param wanted how much of each probe's past
   * @return all containers with their probes, in the order their pods were added to each loop
   */
  public CompletableFuture<List<ContainerSnapshot>> snapshot(HistoryQuery wanted) {
    return snapshot(wanted, (pod, container) -> true);
  }

  /**
   * Takes a snapshot of some containers.
   *
   * @param wanted how much of each probe's past
   * @param which takes a pod and a container's name, and says whether it is wanted; called on the
   *     loops
   * @return those containers with their probes, in the order their pods were added to each loop
   */
  public CompletableFuture<List<ContainerSnapshot>> snapshot(
      HistoryQuery wanted, BiPredicate<PodRef, String> which) {
    List<CompletableFuture<List<ContainerSnapshot>>> parts = new ArrayList<>();
    for (Lane lane : lanes) {
      parts.add(
          CompletableFuture.supplyAsync(
              () ->
                  lane.pods().values().stream()
                      .flatMap(pod -> pod.containers().stream())
                      .filter(cell -> cell.is(which))
                      .map(cell -> cell.snapshot(wanted))
                      .toList(),
              lane.context().loop()));
    }
    return CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
        .thenApply(done -> parts.stream().flatMap(part -> part.join().stream()).toList());
  }

  /** {@return probes that are due and wait for their turn, over all loops} */
  public int waiting() {
    return lanes.stream().mapToInt(lane -> lane.context().turns().waiting()).sum();
  }

  /** {@return bytes that the statistics of all probes take at most now, over all loops} */
  public long statisticsBytes() {
    return lanes.stream().mapToLong(lane -> lane.context().statistics().used()).sum();
  }

  /** {@return bytes that the statistics of all probes may take} */
  public static long statisticsLimit() {
    return StatisticsBudget.NODE_BYTES;
  }

  /** {@return probes without statistics because the limit is reached, over all loops} */
  public int withoutStatistics() {
    return lanes.stream().mapToInt(lane -> lane.context().statistics().without()).sum();
  }

  /**
   * Asks each loop for its progress.
   *
   * @return one future per loop, in order; one that never completes means that the loop hangs
   */
  public List<CompletableFuture<LoopProgress>> progress() {
    return lanes.stream()
        .map(lane -> CompletableFuture.supplyAsync(() -> progress(lane), lane.context().loop()))
        .toList();
  }

  private static LoopProgress progress(Lane lane) {
    long now = lane.context().loop().time().nanoTime();
    long[] late =
        lane.pods().values().stream()
            .flatMap(pod -> pod.containers().stream())
            .flatMap(cell -> cell.workers().stream())
            .flatMapToLong(worker -> worker.due().stream())
            .map(due -> now - due)
            .toArray();
    return new LoopProgress(
        late.length,
        Duration.ofNanos(Arrays.stream(late).max().orElse(0)),
        Duration.ofNanos(now - lane.context().pulse().last()));
  }

  /** An error of one container does not affect the others. */
  private static void each(List<ProbedContainer> cells, Consumer<ProbedContainer> task) {
    for (ProbedContainer cell : cells) {
      try {
        task.accept(cell);
      } catch (Throwable bug) { // W-11: one bug stops one probe, not the loop
        Faults.rethrowIfFatal(bug);
        LOG.error("internal error while processing a container, continuing", bug);
      }
    }
  }

  private void on(PodRef pod, Consumer<Lane> task) {
    Lane lane = lane(pod);
    lane.context().loop().execute(() -> task.accept(lane));
  }

  private Lane lane(PodRef pod) {
    return lanes.get(Math.floorMod(pod.hashCode(), lanes.size()));
  }
}
