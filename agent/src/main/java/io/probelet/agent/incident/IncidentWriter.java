package io.probelet.agent.incident;

import io.probelet.health.Threads;
import io.probelet.health.TimeSource;
import io.probelet.probe.PodRef;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.Termination;
import io.probelet.web.api.Rfc3339;
import io.probelet.web.api.TerminationView;
import io.probelet.web.incident.Incident;
import io.probelet.web.incident.IncidentKind;
import io.probelet.web.incident.IncidentNode;
import io.probelet.web.incident.ProbeFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts incidents together on threads of its own, where it waits for their evidence, and stores
 * them. Many containers that fail together must not exhaust the memory: further incidents are
 * counted only.
 */
final class IncidentWriter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(IncidentWriter.class);

  /** Incidents that are put together at once; further ones are counted and not recorded. */
  static final int MAX_AT_ONCE = 64;

  /** The share of one namespace. */
  static final int MAX_OF_NAMESPACE = 16;

  /** How long after the end or the decision that caused it the containers of a pod end at most. */
  static final Duration POD_RESTART = Duration.ofMinutes(2);

  /** How long the last output of an instance is waited for. */
  private static final Duration LAST_OUTPUT = Duration.ofSeconds(1);

  private static final Duration END = Duration.ofSeconds(2);

  private final IncidentSources sources;
  private final IncidentStore store;
  private final LogTail logs;
  private final ProbeTracks tracks;
  private final PreKillOutput preKills;
  private final Consumer<Incident> listener;
  private final LongAdder missed = new LongAdder();
  private final NamespacePlaces places = new NamespacePlaces(MAX_AT_ONCE, MAX_OF_NAMESPACE);
  private final Threads threads;
  private final ExecutorService blocking;

  /**
   * What happened to a container, as known when it happened.
   *
   * @param at when
   * @param containerId the instance
   * @param imageBefore the image of the instance before; null if it is the same or unknown
   * @param end how it ended; null if it did not yet
   * @param waiting why it waits, in one word; empty if it does not
   * @param logPath the file with the instance's output; empty if it has none
   */
  record Happened(
      Instant at,
      IncidentKind kind,
      String containerId,
      @Nullable String imageBefore,
      @Nullable TerminationView end,
      String waiting,
      String logPath) {}

  /**
   * A probe that failed.
   *
   * @param kind which of the container's probes
   * @param past what is remembered of it
   */
  record Failed(ProbeKind kind, ProbeTrack.Past past) {}

  IncidentWriter(
      IncidentSources sources,
      IncidentStore store,
      LogTail logs,
      ProbeTracks tracks,
      PreKillOutput preKills,
      Consumer<Incident> listener,
      TimeSource time) {
    this.sources = sources;
    this.store = store;
    this.logs = logs;
    this.tracks = tracks;
    this.preKills = preKills;
    this.listener = listener;
    threads = time.threads();
    blocking =
        Executors.newThreadPerTaskExecutor(threads.ofVirtual().name("incident-", 0).factory());
  }

  /** Records what happened to a container, once its evidence is there. */
  void write(PodRef pod, String container, Happened happened, @Nullable Failed failed) {
    if (!places.take(pod.namespace())) {
      missed.increment();
      return;
    }
    CompletableFuture<List<ContainerSnapshot>> asked = sources.containers(pod);
    CompletableFuture<List<String>> conditions = sources.conditions();
    boolean begun =
        execute(() -> {
          try {
            List<ContainerSnapshot> all = KernelWindow.within(threads, asked, List.of());
            all.stream()
                .filter(each -> each.status().name().equals(container))
                .findFirst()
                .ifPresentOrElse(
                    found -> record(incident(happened, failed, found, all, conditions)),
                    missed::increment);
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

  private void record(Incident incident) {
    store.add(incident);
    preKills.join(incident.ref(), incident.containerId());
    listener.accept(incident);
  }

  /** Completes the record of an instance by how it ended. */
  void complete(PodRef pod, String containerId, TerminationView end) {
    execute(() ->
        store.update(
            pod.namespace(),
            pod.name(),
            incident -> incident.containerId().equals(containerId) && incident.end() == null,
            incident -> incident.with(end)));
  }

  /** Adds the output of a preKill command to the record of the kill. */
  void addPreKill(PodRef pod, String containerId) {
    execute(() -> preKills.join(pod, containerId));
  }

  private boolean execute(Runnable task) {
    try {
      blocking.execute(task);
      return true;
    } catch (RejectedExecutionException ending) {
      return false;
    }
  }

  private Incident incident(
      Happened happened,
      @Nullable Failed failed,
      ContainerSnapshot found,
      List<ContainerSnapshot> all,
      CompletableFuture<List<String>> conditions) {
    PodRef pod = found.status().pod();
    ContainerObservation observation = found.status().observation();
    Instant startedAt = observation.startedAt();
    TerminationView end = happened.end();
    KernelWindow window =
        failed == null
            ? KernelWindow.NONE
            : new KernelWindow(failed.past().first(), failed.past().last());
    ProbeTracks.Others others = tracks.beside(pod, found.status().name());
    IncidentNode node =
        window.node(
            KernelWindow.within(threads, conditions, List.of()), others.failing(), others.probed());
    return new Incident(
        Rfc3339.text(happened.at()),
        kind(happened, found, all),
        pod.namespace(),
        pod.name(),
        pod.uid(),
        found.status().name(),
        happened.containerId(),
        sources.workload(pod),
        observation.details().image(),
        happened.imageBefore(),
        observation.restartCount(),
        startedAt == null ? null : Rfc3339.text(startedAt),
        failed == null ? null : facts(found, failed),
        failed == null ? end : endOf(happened.containerId(), observation),
        window.container(threads),
        node,
        happened.waiting(),
        sources.deleting(pod),
        output(happened));
  }

  /** On a busy machine the last output of an instance reaches its log after the end. */
  private List<String> output(Happened happened) {
    List<String> lines = logs.of(happened.logPath(), happened.containerId());
    boolean awaited = lines.isEmpty() && happened.end() != null && !happened.logPath().isEmpty();
    if (!awaited || !logs.isAllowed()) {
      return lines;
    }
    try {
      threads.sleep(LAST_OUTPUT);
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
    }
    return logs.of(happened.logPath(), happened.containerId());
  }

  /** An end may follow from a rule of another container, which ended before (D-23). */
  private static IncidentKind kind(
      Happened happened, ContainerSnapshot found, List<ContainerSnapshot> all) {
    boolean byRule =
        happened.kind() == IncidentKind.ENDED
            && all.stream()
                .filter(each -> !each.status().name().equals(found.status().name()))
                .anyMatch(each -> restartsPod(each, happened.at()));
    return byRule ? IncidentKind.POD_RESTARTED_BY_RULE : happened.kind();
  }

  private static boolean restartsPod(ContainerSnapshot container, Instant at) {
    Termination end = container.status().observation().details().lastTermination();
    Instant finishedAt = end == null ? null : end.finishedAt();
    return end != null
        && finishedAt != null
        && container.target().container().restartsPodAfter(end.exitCode())
        && !finishedAt.isAfter(at)
        && Duration.between(finishedAt, at).compareTo(POD_RESTART) < 0;
  }

  /** How the instance has ended, if it has meanwhile. */
  private static @Nullable TerminationView endOf(String containerId, ContainerObservation now) {
    Termination last = now.details().lastTermination();
    boolean runs = now.running() && now.id().equals(containerId);
    return runs || last == null ? null : TerminationView.of(last);
  }

  private static @Nullable ProbeFacts facts(ContainerSnapshot container, Failed failed) {
    boolean startup =
        container.probes().stream().anyMatch(each -> each.kind() == ProbeKind.STARTUP)
            || container.target().container().probes().containsKey(ProbeKind.STARTUP);
    var spec = container.target().container().probes().get(failed.kind());
    return spec == null
        ? null
        : failed.past().facts(failed.kind(), spec, port(spec.handler(), container), startup);
  }

  /** The TCP port that a probe connects to; 0 for none or several. */
  private static int port(ProbeHandler handler, ContainerSnapshot container) {
    return switch (handler) {
      case ProbeHandler.HttpGet get -> number(get.port(), container);
      case ProbeHandler.TcpSocket tcp -> number(tcp.port(), container);
      case ProbeHandler.Datagram datagram -> number(datagram.port(), container);
      case ProbeHandler.Grpc grpc -> grpc.port();
      case ProbeHandler.Exec _, ProbeHandler.AllOf _, ProbeHandler.AnyOf _ -> 0;
    };
  }

  private static int number(@Nullable Port port, ContainerSnapshot container) {
    return switch (port) {
      case null -> 0;
      case Port.Numeric numeric -> numeric.value();
      case Port.UnixSocket _ -> 0;
      case Port.Named named ->
          container.target().container().ports().getOrDefault(named.value(), 0);
    };
  }

  /**
   * {@return incidents that were not recorded: too many at once, or the container was not found}
   */
  long missed() {
    return missed.sum();
  }

  /** Waits for the incidents that are being put together, for two seconds at most. */
  @Override
  public void close() {
    var _ = Threads.finish(threads, blocking, END);
    blocking.shutdownNow();
    store.close();
  }
}
