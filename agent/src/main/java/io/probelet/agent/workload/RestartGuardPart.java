package io.probelet.agent.workload;

import io.micrometer.core.instrument.Gauge;
import io.probelet.agent.part.ControllerContext;
import io.probelet.agent.part.Part;
import io.probelet.kube.election.ElectionTiming;
import io.probelet.kube.election.LedWork;
import java.time.Duration;

/** Keeps the leases in which agents count restarts, as the leader (D-12). */
public final class RestartGuardPart implements Part {
  /** The name of its lease, by which one of all controllers leads. */
  public static final String LEASE = "probelet-restart-guard";

  /** An agent that misses the replicas goes on without them after ten seconds. */
  private static final Duration ROUND = Duration.ofSeconds(3);

  private final LedWork<CounterRounds> work;

  /**
   * Starts as a candidate for leader.
   *
   * @param context what it is given
   */
  public RestartGuardPart(ControllerContext context) {
    work =
        context.lead(
            LEASE,
            ElectionTiming.DEFAULT,
            (api, term) ->
                CounterRounds.start(api, context.namespace(), term, context.time(), ROUND));
    Gauge.builder(
            "probelet.workload.restarts",
            () -> work.current().map(CounterRounds::restarting).orElse(0))
        .description("Pods that restart because of liveness probes; 0 except on the leader.")
        .register(context.metrics());
  }

  @Override
  public String name() {
    return "restart-guard";
  }

  @Override
  public void close() {
    work.close();
  }
}
