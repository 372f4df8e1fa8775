package io.probelet.agent.care;

import io.probelet.agent.cluster.AgentPart;
import io.probelet.agent.cluster.PartContext;
import io.probelet.cluster.care.ClusterCare;
import io.probelet.cluster.care.NamedChecks;
import io.probelet.nodehealth.election.LeaderElection;
import io.probelet.nodehealth.election.Timing;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Cares for the cluster while this agent leads. Only in a pod, whose namespace is where its lease
 * belongs, as for the remediation of nodes.
 */
public final class CarePart implements AgentPart {
  private static final String LEASE = "probelet-cluster-care";

  /** Nothing here is urgent, and every agent of a large cluster asks once per retry. */
  private static final Timing TIMING =
      new Timing(Duration.ofMinutes(2), Duration.ofSeconds(90), Duration.ofSeconds(20));

  private final @Nullable LeaderElection election;

  /**
   * Begins to stand for leader.
   *
   * @param context what the agent has
   */
  public CarePart(PartContext context) {
    this(context, TIMING);
  }

  CarePart(PartContext context, Timing timing) {
    String namespace = context.podNamespace();
    if (namespace == null) {
      election = null;
      return;
    }
    CareMetrics metrics = new CareMetrics(context.metrics());
    election =
        LeaderElection.stand(
            context.client(),
            namespace,
            LEASE,
            context.node(),
            timing,
            context.time(),
            term -> {
              CareMetrics.OfTerm shown = metrics.begin();
              ClusterCare care =
                  ClusterCare.start(
                      context.client(), NamedChecks.DEFAULTS, context.time(), shown, term::isOn);
              return () -> {
                care.close();
                shown.close();
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
    if (election != null) {
      election.close();
    }
  }
}
