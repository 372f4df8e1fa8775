package io.probelet.agent.incident;

import io.probelet.agent.cluster.restart.KeptListener;
import io.probelet.health.RecentMap;
import io.probelet.health.TimeSource;
import io.probelet.probe.PodRef;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.engine.ProbeEvent;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.hook.PreKillListener;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.ContainerObservation.State;
import io.probelet.probe.runtime.Termination;
import io.probelet.web.api.Rfc3339;
import io.probelet.web.api.TerminationView;
import io.probelet.web.incident.Incident;
import io.probelet.web.incident.IncidentKind;
import io.probelet.web.incident.IncidentNode;
import io.probelet.web.incident.KernelFacts;
import io.probelet.web.incident.ProbeFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records an incident at each kill, eviction, hold, end and period of not being ready, with the
 * evidence of that moment. It reads the kernel at a probe's first failure and at its decision, so a
 * healthy container costs nothing, and a kill never waits for it. Calls come on the pods' loops.
 */
public final class IncidentRecorder
    implements ProbeListener, KeptListener, PreKillListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(IncidentRecorder.class);

  /** The second reading where a probe decides at its first failure. */
  private static final Duration SECOND_LOOK = Duration.ofSeconds(1);

  /** An end before the agent's own start is told if it is not older. */
  private static final Duration RECENT = Duration.ofHours(1);

  private static final Duration END = Duration.ofSeconds(2);

  /** Incidents that are put together at once; further ones are counted and not recorded. */
  static final int MAX_AT_ONCE = 64;

  /** The share of one namespace. */
  static final int MAX_OF_NAMESPACE = 16;

  /** How long the containers of a pod take at most to end with it. */
  private static final Duration POD_RESTART = Duration.ofMinutes(2);

  /** Waiting reasons that say nothing: the container starts, or its last end says why. */
  private static final Set<String> NO_PROBLEM =
      Set.of("", "ContainerCreating", "PodInitializing", "CrashLoopBackOff", "Completed");

  private final IncidentSources sources;
  private final IncidentStore store;
  private final LogTail logs;
  private final Consumer<Incident> listener;
  private final TimeSource time;
  private final Map<ProbeSubject, ProbeTrack> tracks = new ConcurrentHashMap<>();
  private final Map<Key, Seen> seen = new ConcurrentHashMap<>();

  /** Output of preKill commands, by container id, until its record is there; guarded by itself. */
  private final RecentMap<String, List<String>> preKills = new RecentMap<>(MAX_AT_ONCE);

  private final LongAdder missed = new LongAdder();
  private final Map<PodRef, Long> podRestarts = new ConcurrentHashMap<>();
  private final NamespacePlaces places = new NamespacePlaces(MAX_AT_ONCE, MAX_OF_NAMESPACE);
  private final ExecutorService blocking;

  /** A container of a pod, whatever instance of it. */
  private record Key(PodRef pod, String container) {}

  /** What was last known of a container. */
  private record Seen(
      @Nullable Instant startedAt, String image, String killed, @Nullable Termination end) {
    static final Seen NOTHING = new Seen(null, "", "", null);

    Seen killed(String containerId) {
      return new Seen(startedAt, image, containerId, end);
    }
  }

  /**
   * Creates a recorder.
   *
   * @param sources read at an incident
   * @param store takes the incidents
   * @param logs reads the last lines of logs
   * @param listener takes each incident that was recorded, on any thread
   * @param time the clock
   */
  public IncidentRecorder(
      IncidentSources sources,
      IncidentStore store,
      LogTail logs,
      Consumer<Incident> listener,
      TimeSource time) {
    this.sources = sources;
    this.store = store;
    this.logs = logs;
    this.listener = listener;
    this.time = time;
    this.blocking =
        Executors.newThreadPerTaskExecutor(
            time.threads().ofVirtual().name("incident-", 0).factory());
  }

  @Override
  public void probed(Probed probe) {
    ProbeSubject subject = probe.subject();
    ProbeTrack track = tracks.computeIfAbsent(subject, _ -> new ProbeTrack());
    track.took(probe, time.wallTime(), seen(subject).startedAt());
    if (!track.failing() || probe.consecutive() == 0) {
      return;
    }
    boolean first = probe.consecutive() == 1;
    boolean decides = probe.consecutive() == probe.threshold() && track.isStale(time.nanoTime());
    if (first) {
      track.read(reading(probe.containerId(), Duration.ZERO));
    }
    if (decides) {
      track.read(reading(probe.containerId(), first ? SECOND_LOOK : Duration.ZERO));
    }
    if (decides && subject.kind() == ProbeKind.READINESS && track.isUnreadyNews(time.nanoTime())) {
      failed(IncidentKind.UNREADY, subject, probe.containerId());
    }
  }

  private Seen seen(ProbeSubject subject) {
    return seen.getOrDefault(new Key(subject.pod(), subject.container()), Seen.NOTHING);
  }

  private ProbeTrack.Reading reading(String containerId, Duration after) {
    return new ProbeTrack.Reading(
        sources.kernel(containerId, after),
        sources.node().orElse(null),
        time.nanoTime() + after.toNanos());
  }

  @Override
  public void restartDecided(RestartDecision decision) {
    ProbeSubject subject = decision.subject();
    boolean kills = decision.event().reason().equals(ProbeEvent.KILLING);
    seen.compute(
        new Key(subject.pod(), subject.container()),
        (_, known) -> (known == null ? Seen.NOTHING : known).killed(decision.containerId()));
    if (decision.restartsPod()) {
      podRestarts.put(subject.pod(), time.nanoTime());
    }
    failed(kills ? IncidentKind.KILLED : IncidentKind.EVICTED, subject, decision.containerId());
  }

  @Override
  public void kept(RestartDecision decision, String reason, String message) {
    if (!reason.equals("RestartHoldOver")) { // it is stopped now
      failed(IncidentKind.HELD, decision.subject(), decision.containerId());
    }
  }

  @Override
  public void observed(RestartDecision decision, String message) {
    failed(IncidentKind.HELD, decision.subject(), decision.containerId());
  }

  /** {@inheritDoc} Its output replaces the log in the record of the kill, within the same limit. */
  @Override
  public void ended(RestartDecision decision, Report report) {
    PodRef pod = decision.subject().pod();
    String id = decision.containerId();
    List<String> output = logs.ofCommand("preKill: " + report.result(), report.output());
    if (!output.isEmpty()) {
      synchronized (preKills) {
        preKills.put(id, output);
      }
      execute(() -> addPreKill(pod, id));
    }
  }

  /** The record of the kill and the command's end come in any order; the later one joins them. */
  private void addPreKill(PodRef pod, String containerId) {
    List<String> output;
    synchronized (preKills) {
      output = preKills.get(containerId);
    }
    if (output != null
        && store.update(
            pod.namespace(),
            pod.name(),
            incident ->
                incident.kind() == IncidentKind.KILLED
                    && incident.containerId().equals(containerId),
            incident -> incident.withLog(output))) {
      synchronized (preKills) {
        preKills.remove(containerId);
      }
    }
  }

  private void failed(IncidentKind kind, ProbeSubject subject, String containerId) {
    ProbeTrack track = tracks.get(subject);
    if (track == null) {
      return;
    }
    ProbeTrack.Past past = track.past();
    Instant at = time.wallTime();
    record(
        subject.pod(),
        subject.container(),
        new KernelWindow(past.first(), past.last()),
        (found, kernel, node) ->
            incident(
                at,
                kind,
                found,
                containerId,
                null,
                facts(found, subject.kind(), past).orElse(null),
                endOf(containerId, found.status().observation()),
                kernel,
                node,
                ""));
  }

  /** How the instance has ended, if it has meanwhile. */
  private static @Nullable TerminationView endOf(String containerId, ContainerObservation now) {
    Termination last = now.details().lastTermination();
    boolean runs = now.running() && now.id().equals(containerId);
    return runs || last == null ? null : TerminationView.of(last);
  }

  @Override
  public void containerChanged(@Nullable ContainerStatus before, ContainerStatus now) {
    Key key = new Key(now.pod(), now.name());
    ContainerObservation is = now.observation();
    Seen known = seen.getOrDefault(key, Seen.NOTHING);
    Termination end = is.details().lastTermination();
    String image = is.details().image();
    seen.put(
        key,
        new Seen(
            is.startedAt() == null ? known.startedAt() : is.startedAt(),
            image.isEmpty() ? known.image() : image,
            known.killed(),
            end == null || isDone(is, end) ? known.end() : end));
    if (end != null && !end.equals(known.end()) && (before != null || isRecent(end))) {
      ended(before, now, end, known);
    }
    boolean waits = is.state() == State.WAITING && !NO_PROBLEM.contains(is.reason());
    if (waits && (before == null || !before.observation().reason().equals(is.reason()))) {
      notStarted(now);
    }
  }

  /** It has done what it was for, unless another instance follows. */
  private static boolean isDone(ContainerObservation now, Termination end) {
    return end.exitCode() == 0 && now.restartCount() == 0;
  }

  /** Whether the agent has just ended all containers of a pod. */
  private boolean isPodRestarted(PodRef pod) {
    Long at = podRestarts.get(pod);
    return at != null && time.nanoTime() - at < POD_RESTART.toNanos();
  }

  /** What ended before the agent began is told once it is known, unless it is long ago. */
  private boolean isRecent(Termination end) {
    Instant finishedAt = end.finishedAt();
    return finishedAt != null
        && Duration.between(finishedAt, time.wallTime()).compareTo(RECENT) < 0;
  }

  private void ended(
      @Nullable ContainerStatus before, ContainerStatus now, Termination end, Seen known) {
    ContainerObservation is = now.observation();
    String id =
        is.state() == State.TERMINATED || before == null ? is.id() : before.observation().id();
    if (isDone(is, end)) {
      return;
    }
    TerminationView view = TerminationView.of(end);
    PodRef pod = now.pod();
    boolean ours = !known.killed().isEmpty() && known.killed().equals(id);
    if (ours) {
      execute(() ->
          store.update(
              pod.namespace(),
              pod.name(),
              incident -> incident.containerId().equals(id) && incident.end() == null,
              incident -> incident.with(view)));
      return;
    }
    IncidentKind kind = isPodRestarted(pod) ? IncidentKind.POD_RESTARTED : IncidentKind.ENDED;
    Instant finishedAt = end.finishedAt();
    Instant at = finishedAt == null ? time.wallTime() : finishedAt;
    String image = is.details().image();
    String imageBefore =
        known.image().isEmpty() || image.isEmpty() || known.image().equals(image)
            ? null
            : known.image();
    record(
        pod,
        now.name(),
        KernelWindow.NONE,
        (found, kernel, node) ->
            incident(at, kind, found, id, imageBefore, null, view, kernel, node, ""));
  }

  private void notStarted(ContainerStatus now) {
    Instant at = time.wallTime();
    ContainerObservation is = now.observation();
    TerminationView words = new TerminationView(0, null, is.reason(), is.details().message(), null);
    record(
        now.pod(),
        now.name(),
        KernelWindow.NONE,
        (found, kernel, node) ->
            incident(
                at,
                IncidentKind.NOT_STARTED,
                found,
                is.id(),
                null,
                null,
                words,
                kernel,
                node,
                is.reason()));
  }

  /** Puts an incident together. */
  @FunctionalInterface
  private interface Assembly {
    Incident of(ContainerSnapshot container, @Nullable KernelFacts kernel, IncidentNode node);
  }

  /**
   * Waits for the evidence on a thread of its own, and records. Many containers that fail together
   * must not exhaust the memory.
   */
  private void record(PodRef pod, String container, KernelWindow window, Assembly assembly) {
    if (!places.take(pod.namespace())) {
      missed.increment();
      return;
    }
    CompletableFuture<Optional<ContainerSnapshot>> asked = sources.container(pod, container);
    CompletableFuture<List<String>> conditions = sources.conditions();
    boolean begun =
        execute(() -> {
          try {
            Optional<ContainerSnapshot> found =
                KernelWindow.within(time.threads(), asked, Optional.empty());
            if (found.isPresent()) {
              Incident incident =
                  assembly.of(
                      found.get(),
                      window.container(time.threads()),
                      node(
                          window,
                          pod,
                          container,
                          KernelWindow.within(time.threads(), conditions, List.of())));
              store.add(incident);
              addPreKill(pod, incident.containerId());
              listener.accept(incident);
            }
          } catch (RuntimeException bug) {
            LOG.error("internal error while an incident was recorded, continuing", bug);
          } finally {
            places.release(pod.namespace());
          }
        });
    if (!begun) {
      places.release(pod.namespace());
    }
  }

  private boolean execute(Runnable task) {
    try {
      blocking.execute(task);
      return true;
    } catch (RejectedExecutionException ending) {
      return false;
    }
  }

  private IncidentNode node(
      KernelWindow window, PodRef pod, String container, List<String> conditions) {
    Set<Key> failing = new HashSet<>();
    Set<Key> probed = new HashSet<>();
    tracks.forEach((subject, track) -> {
      Key key = new Key(subject.pod(), subject.container());
      probed.add(key);
      if (track.failing()) {
        failing.add(key);
      }
    });
    failing.remove(new Key(pod, container));
    return window.node(conditions, failing.size(), probed.size());
  }

  private Incident incident(
      Instant at,
      IncidentKind kind,
      ContainerSnapshot found,
      String containerId,
      @Nullable String imageBefore,
      @Nullable ProbeFacts probe,
      @Nullable TerminationView end,
      @Nullable KernelFacts kernel,
      IncidentNode node,
      String waiting) {
    PodRef pod = found.status().pod();
    ContainerObservation observation = found.status().observation();
    Instant startedAt = observation.startedAt();
    return new Incident(
        Rfc3339.text(at),
        kind,
        pod.namespace(),
        pod.name(),
        pod.uid(),
        found.status().name(),
        containerId,
        sources.workload(pod),
        observation.details().image(),
        imageBefore,
        observation.restartCount(),
        startedAt == null ? null : Rfc3339.text(startedAt),
        probe,
        end,
        kernel,
        node,
        waiting,
        sources.deleting(pod),
        kind == IncidentKind.NOT_STARTED ? List.of() : logs.of(observation.details().logPath()));
  }

  @Override
  public void workerEnded(ProbeSubject subject) {
    tracks.remove(subject);
  }

  @Override
  public void podRemoved(PodRef pod) {
    podRestarts.remove(pod);
    seen.keySet().removeIf(key -> key.pod().equals(pod));
    tracks.keySet().removeIf(subject -> subject.pod().equals(pod));
  }

  /** {@return incidents that were not recorded because too many came at once} */
  public long missed() {
    return missed.sum();
  }

  /** Waits for the incidents that are being put together, for two seconds at most. */
  @Override
  public void close() {
    blocking.shutdown();
    try {
      var _ = time.threads().awaitEnd(blocking, END);
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
    blocking.shutdownNow();
    store.close();
  }

  private static Optional<ProbeFacts> facts(
      ContainerSnapshot container, ProbeKind kind, ProbeTrack.Past past) {
    boolean startup =
        container.probes().stream().anyMatch(each -> each.kind() == ProbeKind.STARTUP)
            || container.target().container().probes().containsKey(ProbeKind.STARTUP);
    return Optional.ofNullable(container.target().container().probes().get(kind))
        .map(spec -> past.facts(kind, spec, port(spec.handler(), container), startup));
  }

  /** The TCP port that a probe connects to; 0 for none or several. */
  private static int port(ProbeHandler handler, ContainerSnapshot container) {
    return switch (handler) {
      case ProbeHandler.HttpGet get -> number(get.port(), container);
      case ProbeHandler.TcpSocket tcp -> number(tcp.port(), container);
      case ProbeHandler.Grpc grpc -> grpc.port();
      case ProbeHandler.Exec _, ProbeHandler.AllOf _, ProbeHandler.AnyOf _ -> 0;
    };
  }

  private static int number(Port port, ContainerSnapshot container) {
    return switch (port) {
      case Port.Numeric numeric -> numeric.value();
      case Port.Named named ->
          container.target().container().ports().getOrDefault(named.value(), 0);
    };
  }
}
