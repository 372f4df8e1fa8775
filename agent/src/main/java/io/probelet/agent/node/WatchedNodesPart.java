package io.probelet.agent.node;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.agent.part.ControllerContext;
import io.probelet.agent.part.Part;
import io.probelet.kube.ApiServer;
import io.probelet.kube.election.ElectionTiming;
import io.probelet.kube.election.LeaderElection;
import io.probelet.kube.election.Term;
import io.probelet.monitor.lifecycle.NodeLifecycle;
import java.time.Duration;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Runs the life cycle of watched nodes, as the leader. */
public final class WatchedNodesPart implements Part {
  private static final String LEASE = "probelet-node-monitor";

  /** Nothing here is urgent, and where agents lead every one of them asks once per retry. */
  private static final ElectionTiming TIMING =
      new ElectionTiming(Duration.ofMinutes(2), Duration.ofSeconds(90), Duration.ofSeconds(20));

  private static final Duration ROUND = Duration.ofSeconds(10);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final LeaderElection election;
  private volatile @Nullable NodeLifecycle lifecycle;

  /**
   * Starts as a candidate for leader.
   *
   * @param context what it is given
   */
  public WatchedNodesPart(ControllerContext context) {
    addMetrics(context.metrics());
    ApiServer api = ApiServer.of(context.client(), TIMEOUT);
    election =
        LeaderElection.start(
            context.client(),
            context.namespace(),
            LEASE,
            context.identity(),
            TIMING,
            context.time(),
            context.random(),
            term -> open(context, api, term));
  }

  private AutoCloseable open(ControllerContext context, ApiServer api, Term term) {
    NodeLifecycle opened =
        NodeLifecycle.start(api, context.namespace(), term, context.time(), ROUND);
    lifecycle = opened;
    return () -> {
      lifecycle = null;
      opened.close();
    };
  }

  private void addMetrics(MeterRegistry metrics) {
    Gauge.builder("probelet.nodes.tainted", () -> of(NodeLifecycle::tainted))
        .description("Nodes that Probelet has tainted; 0 except on the leader.")
        .register(metrics);
    Gauge.builder("probelet.nodes.taint.held", () -> of(NodeLifecycle::held))
        .description("Nodes not tainted because enough are already; 0 except on the leader.")
        .register(metrics);
  }

  private int of(ToIntFunction<NodeLifecycle> number) {
    NodeLifecycle leading = lifecycle;
    return leading == null ? 0 : number.applyAsInt(leading);
  }

  @Override
  public String name() {
    return "node-lifecycle";
  }

  @Override
  public void close() {
    election.close();
  }
}
