package io.probelet.controller;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.kube.election.ElectionTiming;
import io.probelet.kube.election.LeaderTask;
import io.probelet.monitor.lifecycle.NodeLifecycle;
import io.probelet.web.part.ControllerContext;
import io.probelet.web.part.Part;
import java.time.Duration;
import java.util.function.ToIntFunction;

/** Runs the life cycle of watched nodes, as the leader. */
public final class WatchedNodesPart implements Part {
  /** Nothing here is urgent, and where agents lead every one of them asks once per retry. */
  private static final ElectionTiming TIMING =
      new ElectionTiming(Duration.ofMinutes(2), Duration.ofSeconds(90), Duration.ofSeconds(20));

  private static final Duration ROUND = Duration.ofSeconds(10);

  private final LeaderTask<NodeLifecycle> work;

  /** Starts as a candidate for leader. */
  public WatchedNodesPart(ControllerContext context) {
    work =
        context.lead(
            NodeLifecycle.LEASE,
            TIMING,
            (api, term) ->
                NodeLifecycle.start(api, context.namespace(), term, context.time(), ROUND));
    addMetrics(context.metrics());
  }

  private void addMetrics(MeterRegistry metrics) {
    Gauge.builder("probelet.nodes.tainted", () -> of(NodeLifecycle::tainted))
        .description("Nodes tainted by Probelet; 0 except on the leader.")
        .register(metrics);
    Gauge.builder("probelet.nodes.taint.held", () -> of(NodeLifecycle::held))
        .description("Nodes not tainted because the limit is reached; 0 except on the leader.")
        .register(metrics);
  }

  private int of(ToIntFunction<NodeLifecycle> number) {
    return work.current().map(leading -> number.applyAsInt(leading)).orElse(0);
  }

  @Override
  public String name() {
    return "node-lifecycle";
  }

  @Override
  public void close() {
    work.close();
  }
}
