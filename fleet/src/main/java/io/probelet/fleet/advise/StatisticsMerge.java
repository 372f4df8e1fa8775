package io.probelet.fleet.advise;

import io.probelet.health.OneLine;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.latency.LatencySketch;
import io.probelet.probe.latency.OutcomeRun;
import io.probelet.probe.latency.ProbeStatistics;
import io.probelet.web.statistics.ProbeStatisticsView;
import io.probelet.web.statistics.ProbeStatisticsView.Seen;
import io.probelet.web.statistics.StatisticsView;
import io.probelet.web.statistics.StatisticsView.ContainerStatistics;
import io.probelet.web.statistics.StatisticsView.Owner;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Merges the statistics of pods by workload, over nodes. An agent may be compromised: texts,
 * numbers and workloads are bounded, and what cannot be is left out and counted.
 */
public final class StatisticsMerge {
  /** More containers of workloads are counted, not kept. */
  static final int MAX_SUBJECTS = 5_000;

  /** Of more pods of a container only the sketches count, not the stored outcomes. */
  static final int MAX_STORED_PODS = 200;

  private static final int MAX_STARTS = 1_000;
  private static final int MAX_NAME = 253;
  private static final int MAX_TEXT = 600;

  private final Predicate<ContainerStatistics> wanted;
  private final Map<AdviceSubject, Map<List<String>, Group>> subjects = new TreeMap<>();
  private int left;
  private int invalid;
  private int withoutStatistics;

  /** Pods of one container with the same settings. */
  private static final class Group {
    final Map<ProbeKind, Merged> probes = new EnumMap<>(ProbeKind.class);
    final Set<ProbeKind> patchable = EnumSet.noneOf(ProbeKind.class);
    final Set<String> nodes = new HashSet<>();
    String role = "";
    int pods;
    long restarts;
  }

  /** One probe of all of them. */
  private static final class Merged {
    final ProbeSpec spec;
    final String does;
    final LatencySketch success = new LatencySketch();
    final LatencySketch failure = new LatencySketch();
    final List<List<OutcomeRun>> runs = new ArrayList<>();
    final List<Duration> starts = new ArrayList<>();
    Duration span = Duration.ZERO;

    Merged(ProbeSpec spec, String does) {
      this.spec = spec;
      this.does = does;
    }

    void add(ProbeStatistics seen) {
      success.merge(seen.success());
      failure.merge(seen.failure());
      if (runs.size() < MAX_STORED_PODS) {
        runs.add(seen.runs());
      }
      starts.addAll(seen.starts().subList(0, Math.min(seen.starts().size(), room())));
      Instant last = seen.runs().isEmpty() ? seen.since() : seen.runs().getLast().last();
      Duration own = Duration.between(seen.since(), last); // by the clock of one node
      span = own.compareTo(span) > 0 ? own : span;
    }

    private int room() {
      return MAX_STARTS - starts.size();
    }
  }

  /**
   * Begins with nothing.
   *
   * @param wanted which containers count
   */
  public StatisticsMerge(Predicate<ContainerStatistics> wanted) {
    this.wanted = wanted;
  }

  /**
   * Adds what the agent of a node answered.
   *
   * @param node its name
   */
  public void add(String node, StatisticsView view) {
    withoutStatistics += Math.max(0, view.probesWithout());
    left += Math.max(0, view.omitted());
    for (ContainerStatistics container : view.containers()) {
      if (wanted.test(container)) {
        add(node, container);
      }
    }
  }

  private void add(String node, ContainerStatistics container) {
    AdviceSubject subject = subject(container);
    if (!subjects.containsKey(subject) && subjects.size() >= MAX_SUBJECTS) {
      left++;
      return;
    }
    Map<ProbeKind, ProbeSpec> specs = new EnumMap<>(ProbeKind.class);
    Map<ProbeKind, ProbeStatisticsView> views = new EnumMap<>(ProbeKind.class);
    Map<ProbeKind, ProbeStatistics> seen = new EnumMap<>(ProbeKind.class);
    List<String> settings = new ArrayList<>();
    try {
      for (ProbeStatisticsView probe : container.probes()) {
        ProbeKind kind = kind(probe.kind());
        specs.put(kind, Settings.read(probe));
        views.put(kind, probe);
        Seen statistics = probe.seen();
        if (statistics != null) {
          seen.put(kind, statistics.statistics());
        }
      }
    } catch (IllegalArgumentException hostile) {
      invalid++;
      return;
    }
    specs.forEach((kind, spec) ->
        settings.add(kind + " " + spec + " " + OneLine.of(text(views.get(kind)), MAX_TEXT)));
    Group group =
        subjects
            .computeIfAbsent(subject, _ -> new LinkedHashMap<>())
            .computeIfAbsent(settings, _ -> new Group());
    group.pods++;
    group.restarts += Math.max(0, container.restartCount());
    group.nodes.add(node);
    group.role = container.role().equals("sidecar") ? "sidecar" : "regular";
    specs.forEach((kind, spec) -> {
      Merged merged =
          group.probes.computeIfAbsent(
              kind, _ -> new Merged(spec, OneLine.of(text(views.get(kind)), MAX_TEXT)));
      ProbeStatistics statistics = seen.get(kind);
      if (statistics != null) {
        merged.add(statistics);
      }
      ProbeStatisticsView view = views.get(kind);
      if (view != null && view.declaredBy().equals("spec")) {
        group.patchable.add(kind);
      }
    });
  }

  private static String text(@Nullable ProbeStatisticsView view) {
    return view == null ? "" : view.does();
  }

  private static ProbeKind kind(String word) {
    for (ProbeKind kind : ProbeKind.values()) {
      if (kind.label().equalsIgnoreCase(word)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("kind must be startup, readiness or liveness");
  }

  private static AdviceSubject subject(ContainerStatistics container) {
    Owner owner = container.owner();
    return AdviceSubject.of(
        OneLine.of(container.namespace(), MAX_NAME),
        owner == null ? "Pod" : OneLine.of(owner.kind(), MAX_NAME),
        OneLine.of(owner == null ? container.pod() : owner.name(), MAX_NAME),
        OneLine.of(container.container(), MAX_NAME));
  }

  /** {@return the evidence of each container, sorted by namespace and workload} */
  public List<WorkloadEvidence> evidence() {
    List<WorkloadEvidence> all = new ArrayList<>();
    subjects.forEach((subject, groups) -> all.add(evidence(subject, List.copyOf(groups.values()))));
    return all;
  }

  /** The settings that most pods have count; a rollout is under way. */
  private static WorkloadEvidence evidence(AdviceSubject subject, List<Group> groups) {
    Group most = groups.stream().max(Comparator.comparingInt(group -> group.pods)).orElseThrow();
    int pods = groups.stream().mapToInt(group -> group.pods).sum();
    Map<ProbeKind, ProbeEvidence> probes = new EnumMap<>(ProbeKind.class);
    most.probes.forEach((kind, merged) ->
        probes.put(
            kind,
            new ProbeEvidence(
                kind,
                merged.does,
                merged.spec,
                merged.success,
                merged.failure,
                merged.runs,
                merged.starts,
                merged.span)));
    return new WorkloadEvidence(
        subject,
        probes,
        most.role,
        most.patchable,
        most.pods,
        most.nodes.size(),
        (int) Math.min(most.restarts, Integer.MAX_VALUE),
        pods - most.pods);
  }

  /** {@return containers that are left out because a limit is reached} */
  public int left() {
    return left;
  }

  /** {@return containers that are left out because their statistics are invalid} */
  public int invalid() {
    return invalid;
  }

  /** {@return probes that agents keep no statistics of, for want of memory} */
  public int withoutStatistics() {
    return withoutStatistics;
  }
}
