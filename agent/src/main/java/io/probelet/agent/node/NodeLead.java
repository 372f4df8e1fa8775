package io.probelet.agent.node;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.agent.cluster.PartContext;
import io.probelet.nodehealth.api.ApiServer;
import io.probelet.nodehealth.election.LeaderElection;
import io.probelet.nodehealth.election.Term;
import io.probelet.nodehealth.election.Timing;
import io.probelet.nodehealth.monitor.lead.NodeKeeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Stands for the leader of those who watch nodes. Only in a pod, which knows the namespace of the
 * lease, or where {@code POD_NAMESPACE} says it: one who tries an agent out against some cluster
 * does not take part.
 */
final class NodeLead implements AutoCloseable {
  private static final String LEASE = "probelet-node-monitor";
  private static final Path OF_THE_POD =
      Path.of("/var/run/secrets/kubernetes.io/serviceaccount/namespace");

  /** Nothing here is urgent, and every agent of a large cluster asks once per retry. */
  private static final Timing TIMING =
      new Timing(Duration.ofMinutes(2), Duration.ofSeconds(90), Duration.ofSeconds(20));

  private static final Duration ROUND = Duration.ofSeconds(10);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final LeaderElection election;
  private volatile @Nullable NodeKeeper keeper;

  private NodeLead(PartContext context, String namespace) {
    addMetrics(context.metrics());
    ApiServer api = ApiServer.of(context.client(), PATIENCE);
    election =
        LeaderElection.stand(
            context.client(),
            namespace,
            LEASE,
            context.node() + "_" + UUID.randomUUID(),
            TIMING,
            context.time(),
            term -> open(context, api, term));
  }

  static Optional<NodeLead> stand(PartContext context) {
    return namespace(context.podNamespace()).map(namespace -> new NodeLead(context, namespace));
  }

  private static Optional<String> namespace(@Nullable String given) {
    try {
      return Optional.of(given == null ? Files.readString(OF_THE_POD) : given);
    } catch (IOException noPod) {
      return Optional.empty();
    }
  }

  private AutoCloseable open(PartContext context, ApiServer api, Term term) {
    NodeKeeper opened = NodeKeeper.start(api, context.namespace(), term, context.time(), ROUND);
    keeper = opened;
    return () -> {
      keeper = null;
      opened.close();
    };
  }

  private void addMetrics(MeterRegistry metrics) {
    Gauge.builder("probelet.nodes.tainted", () -> of(NodeKeeper::tainted))
        .description("Nodes with a taint of ours, on the leader; elsewhere 0.")
        .register(metrics);
    Gauge.builder("probelet.nodes.taint.held", () -> of(NodeKeeper::held))
        .description("Nodes not tainted because enough are, on the leader; elsewhere 0.")
        .register(metrics);
  }

  private int of(ToIntFunction<NodeKeeper> number) {
    NodeKeeper leading = keeper;
    return leading == null ? 0 : number.applyAsInt(leading);
  }

  @Override
  public void close() {
    election.close();
  }
}
