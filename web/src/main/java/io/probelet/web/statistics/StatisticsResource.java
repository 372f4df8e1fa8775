package io.probelet.web.statistics;

import io.probelet.probe.PodRef;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.probe.engine.HistoryQuery;
import io.probelet.web.http.ContainerChoice;
import io.probelet.web.http.Containers;
import io.probelet.web.http.Resource;
import io.probelet.web.statistics.StatisticsView.Owner;
import io.probelet.web.statistics.StatisticsView.Usage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * {@code /api/v1/statistics}: settings of all probes, or those of a pod, and what they have seen of
 * their targets for days.
 */
public final class StatisticsResource implements Resource {
  /** Where it is. */
  public static final String PATH = "/api/v1/statistics";

  private final Containers containers;
  private final Function<PodRef, Optional<Owner>> owners;
  private final Usage usage;

  /**
   * Creates the resource.
   *
   * @param containers read at each request
   * @param owners knows the controllers of pods; asked at each request
   */
  public StatisticsResource(
      Containers containers, Function<PodRef, Optional<Owner>> owners, Usage usage) {
    this.containers = containers;
    this.owners = owners;
    this.usage = usage;
  }

  @Override
  public Answer get(Map<String, List<String>> query) throws Exception {
    ContainerChoice choice = ContainerChoice.of(query);
    List<ContainerSnapshot> snapshots = containers.snapshots(HistoryQuery.STATISTICS, choice);
    return new Answer(200, JSON, out -> StatisticsView.write(snapshots, owners, usage, out));
  }
}
