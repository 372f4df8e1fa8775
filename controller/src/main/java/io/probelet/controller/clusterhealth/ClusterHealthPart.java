package io.probelet.controller.clusterhealth;

import io.probelet.cluster.care.ClusterCare;
import io.probelet.cluster.care.NamedChecks;
import io.probelet.kube.election.ElectionTiming;
import io.probelet.kube.election.LeaderTask;
import io.probelet.web.part.ControllerContext;
import io.probelet.web.part.Part;
import java.time.Duration;
import java.util.Optional;

/** Reports the health of the cluster's parts, as the leader. */
public final class ClusterHealthPart implements Part {
  /** Nothing here is urgent, and where agents lead every one of them asks once per retry. */
  private static final ElectionTiming TIMING =
      new ElectionTiming(Duration.ofMinutes(2), Duration.ofSeconds(90), Duration.ofSeconds(20));

  private final LeaderTask<AutoCloseable> work;
  private final ClusterHealthMetrics metrics;

  /** Starts as a candidate for leader. */
  public ClusterHealthPart(ControllerContext context) {
    this(context, TIMING);
  }

  ClusterHealthPart(ControllerContext context, ElectionTiming timing) {
    metrics = new ClusterHealthMetrics(context.metrics());
    work =
        context.lead(
            ClusterCare.LEASE,
            timing,
            (_, term) -> {
              ClusterHealthMetrics.OfTerm shown = metrics.begin();
              ClusterCare started =
                  ClusterCare.start(
                      context.client(),
                      NamedChecks.DEFAULTS,
                      context.time(),
                      context.random(),
                      shown,
                      term::isOn);
              return () -> {
                started.close();
                shown.close();
              };
            });
  }

  @Override
  public String name() {
    return "cluster-care";
  }

  /**
   * {@return why the leader cannot do its work: an API server that it does not reach, when its
   * threshold is over}
   */
  @Override
  public Optional<String> problem() {
    return metrics.problem();
  }

  @Override
  public void close() {
    work.close();
  }
}
