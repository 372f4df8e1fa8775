package io.probelet.agent.workload;

import io.micrometer.core.instrument.Gauge;
import io.probelet.agent.part.ControllerContext;
import io.probelet.agent.part.Part;
import io.probelet.kube.ApiServer;
import io.probelet.kube.election.ElectionTiming;
import io.probelet.kube.election.LeaderElection;
import io.probelet.kube.election.Term;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Keeps the leases in which agents count restarts, as the leader (D-12). */
public final class RestartGuardPart implements Part {
  private static final String LEASE = "probelet-restart-guard";

  /** An agent that misses the replicas goes on without them after ten seconds. */
  private static final Duration ROUND = Duration.ofSeconds(3);

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final LeaderElection election;
  private volatile @Nullable CounterRounds rounds;

  /**
   * Starts as a candidate for leader.
   *
   * @param context what it is given
   */
  public RestartGuardPart(ControllerContext context) {
    Gauge.builder(
            "probelet.workload.restarts",
            () -> {
              CounterRounds leading = rounds;
              return leading == null ? 0 : leading.restarting();
            })
        .description("Pods that restart because of liveness probes; 0 except on the leader.")
        .register(context.metrics());
    ApiServer api = ApiServer.of(context.client(), TIMEOUT);
    election =
        LeaderElection.start(
            context.client(),
            context.namespace(),
            LEASE,
            context.identity(),
            ElectionTiming.DEFAULT,
            context.time(),
            context.random(),
            term -> open(context, api, term));
  }

  private AutoCloseable open(ControllerContext context, ApiServer api, Term term) {
    CounterRounds opened =
        CounterRounds.start(api, context.namespace(), term, context.time(), ROUND);
    rounds = opened;
    return () -> {
      rounds = null;
      opened.close();
    };
  }

  @Override
  public String name() {
    return "restart-guard";
  }

  @Override
  public void close() {
    election.close();
  }
}
