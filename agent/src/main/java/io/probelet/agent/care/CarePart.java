package io.probelet.agent.care;

import io.probelet.agent.cluster.AgentPart;
import io.probelet.agent.cluster.PartContext;
import io.probelet.cluster.care.ClusterCare;
import io.probelet.cluster.care.NamedChecks;
import io.probelet.nodehealth.election.LeaderElection;
import io.probelet.nodehealth.election.Timing;
import java.util.Optional;

/** Cares for the cluster while this agent leads. */
public final class CarePart implements AgentPart {
  private static final String NAMESPACE = "probelet-system";
  private static final String LEASE = "probelet-cluster-care";

  private final LeaderElection election;

  /**
   * Begins to stand for leader.
   *
   * @param context what the agent has
   */
  public CarePart(PartContext context) {
    CareMetrics metrics = new CareMetrics(context.metrics());
    election =
        LeaderElection.stand(
            context.client(),
            NAMESPACE,
            LEASE,
            context.node(),
            Timing.DEFAULT,
            context.time(),
            term -> {
              ClusterCare care =
                  ClusterCare.start(
                      context.client(), NamedChecks.DEFAULTS, context.time(), metrics, term::isOn);
              return () -> {
                care.close();
                metrics.clear();
              };
            });
  }

  @Override
  public String name() {
    return "cluster-care";
  }

  /** {@return nothing: a node probes well whether or not the cluster is cared for} */
  @Override
  public Optional<String> problem() {
    return Optional.empty();
  }

  @Override
  public void close() {
    election.close();
  }
}
