package io.probelet.controller.restart;

import io.micrometer.core.instrument.Gauge;
import io.probelet.kube.election.ElectionTiming;
import io.probelet.kube.election.LeaderTask;
import io.probelet.kube.workload.RestartCounter;
import io.probelet.kube.workload.WorkloadBudget;
import io.probelet.web.part.ControllerContext;
import io.probelet.web.part.Part;
import java.time.Duration;

/** Keeps the leases in which agents count restarts, as the leader (D-12). */
public final class RestartGuardPart implements Part {
  /** An agent that misses the replicas goes on without them after ten seconds. */
  private static final Duration ROUND = Duration.ofSeconds(3);

  private final LeaderTask<CounterRounds> work;

  /** Starts as a candidate for leader. */
  public RestartGuardPart(ControllerContext context) {
    work =
        context.lead(
            RestartCounter.LEADER_LEASE,
            ElectionTiming.DEFAULT,
            (api, term) ->
                CounterRounds.start(api, context.namespace(), term, context.time(), ROUND));
    Gauge.builder("probelet.workload.restarts", () -> count(WorkloadBudget.RESTARTS))
        .description("Pods that restart because of liveness probes; 0 except on the leader.")
        .register(context.metrics());
    Gauge.builder("probelet.workload.unready", () -> count(WorkloadBudget.READINESS))
        .description("Pods in the readiness budget; 0 except on the leader.")
        .register(context.metrics());
  }

  private int count(WorkloadBudget budget) {
    return work.current().map(rounds -> rounds.count(budget)).orElse(0);
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
