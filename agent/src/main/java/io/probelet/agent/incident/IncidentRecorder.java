package io.probelet.agent.incident;

import io.probelet.agent.cluster.restart.KeptListener;
import io.probelet.agent.incident.IncidentWriter.Failed;
import io.probelet.agent.incident.IncidentWriter.Happened;
import io.probelet.health.TimeSource;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.engine.ContainerStatus;
import io.probelet.probe.engine.ProbeEvent;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.hook.PreKillListener;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.ContainerObservation.State;
import io.probelet.probe.runtime.Termination;
import io.probelet.web.api.TerminationView;
import io.probelet.web.incident.Incident;
import io.probelet.web.incident.IncidentKind;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Records an incident at each kill, eviction, hold, end and period of not being ready, with the
 * evidence of that moment. It reads the kernel at a probe's first failure and at its decision, so a
 * healthy container costs nothing, and a kill never waits for it. Calls come on the pods' loops.
 */
public final class IncidentRecorder
    implements ProbeListener, KeptListener, PreKillListener, AutoCloseable {
  /** The second reading where a probe decides at its first failure. */
  private static final Duration SECOND_LOOK = Duration.ofSeconds(1);

  /** An end before the agent's own start is told if it is not older. */
  private static final Duration RECENT = Duration.ofHours(1);

  /** Waiting reasons that say nothing: the container starts, or its last end says why. */
  private static final Set<String> NO_PROBLEM =
      Set.of("", "ContainerCreating", "PodInitializing", "CrashLoopBackOff", "Completed");

  private final IncidentSources sources;
  private final TimeSource time;
  private final ProbeTracks tracks = new ProbeTracks();
  private final PreKillOutput preKills;
  private final IncidentWriter writer;
  private final Map<ProbeTracks.Key, Seen> seen = new ConcurrentHashMap<>();
  private final Map<PodRef, Long> podRestarts = new ConcurrentHashMap<>();

  /** What was last known of a container. */
  private record Seen(
      @Nullable Instant startedAt,
      String image,
      String logPath,
      String killed,
      @Nullable Termination end) {
    static final Seen NOTHING = new Seen(null, "", "", "", null);

    Seen killed(String containerId) {
      return new Seen(startedAt, image, logPath, containerId, end);
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
    this.time = time;
    preKills = new PreKillOutput(logs, store);
    writer = new IncidentWriter(sources, store, logs, tracks, preKills, listener, time);
  }

  @Override
  public void probed(Probed probe) {
    ProbeSubject subject = probe.subject();
    ProbeTrack track = tracks.of(subject);
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
    return seen.getOrDefault(new ProbeTracks.Key(subject.pod(), subject.container()), Seen.NOTHING);
  }

  private ProbeTrack.Reading reading(String containerId, Duration after) {
    long at = time.nanoTime() + after.toNanos();
    return new ProbeTrack.Reading(
        sources
            .kernel(containerId, after)
            .thenApply(found -> new ProbeTrack.Seen(found, Math.max(at, time.nanoTime()))),
        sources.node().orElse(null),
        at);
  }

  @Override
  public void restartDecided(RestartDecision decision) {
    ProbeSubject subject = decision.subject();
    boolean kills = decision.event().reason().equals(ProbeEvent.KILLING);
    seen.compute(
        new ProbeTracks.Key(subject.pod(), subject.container()),
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

  @Override
  public void ended(RestartDecision decision, Report report) {
    preKills.ended(decision, report);
    writer.addPreKill(decision.subject().pod(), decision.containerId());
  }

  private void failed(IncidentKind kind, ProbeSubject subject, String containerId) {
    ProbeTrack track = tracks.get(subject);
    if (track == null) {
      return;
    }
    String log = seen(subject).logPath();
    writer.write(
        subject.pod(),
        subject.container(),
        new Happened(time.wallTime(), kind, containerId, null, null, "", log),
        new Failed(subject.kind(), track.past()));
  }

  @Override
  public void containerChanged(@Nullable ContainerStatus before, ContainerStatus now) {
    ProbeTracks.Key key = new ProbeTracks.Key(now.pod(), now.name());
    ContainerObservation is = now.observation();
    Seen known = seen.getOrDefault(key, Seen.NOTHING);
    Termination end = is.details().lastTermination();
    String image = is.details().image();
    seen.put(
        key,
        new Seen(
            is.startedAt() == null ? known.startedAt() : is.startedAt(),
            image.isEmpty() ? known.image() : image,
            is.details().logPath().isEmpty() ? known.logPath() : is.details().logPath(),
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
    return at != null && time.nanoTime() - at < IncidentWriter.POD_RESTART.toNanos();
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
      writer.complete(pod, id, view);
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
    String log = is.id().equals(id) ? is.details().logPath() : known.logPath();
    writer.write(pod, now.name(), new Happened(at, kind, id, imageBefore, view, "", log), null);
  }

  private void notStarted(ContainerStatus now) {
    ContainerObservation is = now.observation();
    TerminationView words = new TerminationView(0, null, is.reason(), is.details().message(), null);
    writer.write(
        now.pod(),
        now.name(),
        new Happened(
            time.wallTime(), IncidentKind.NOT_STARTED, is.id(), null, words, is.reason(), ""),
        null);
  }

  @Override
  public void workerEnded(ProbeSubject subject) {
    tracks.remove(subject);
  }

  @Override
  public void podRemoved(PodRef pod) {
    podRestarts.remove(pod);
    seen.keySet().removeIf(key -> key.pod().equals(pod));
    tracks.remove(pod);
  }

  /**
   * {@return incidents that were not recorded: too many at once, or the container was not found}
   */
  public long missed() {
    return writer.missed();
  }

  /** Waits for the incidents that are being put together, for two seconds at most. */
  @Override
  public void close() {
    writer.close();
  }
}
