package io.probelet.agent.cluster.restart;

import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.agent.cluster.pods.KnownPods;
import io.probelet.agent.config.AgentConfiguration;
import io.probelet.agent.config.RestartSettings.Removal;
import io.probelet.health.TimeSource;
import io.probelet.kube.workload.RestartEntries;
import io.probelet.probe.engine.RestartGate;
import io.probelet.web.explain.RestartForecast;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * What a restart decided by probes has to pass before a container is stopped. Each gate sees only
 * what those before it let through, so that none counts a restart that does not happen.
 *
 * @param throttled holds what is slow only because its own CPU limit throttles it
 * @param node keeps what is only observed, and what the guard against mass failures holds
 * @param successes keeps what might end as a success
 * @param evictions holds evictions that came too soon after others, where no runtime can restart
 * @param workloads holds what would be too many of a workload in the whole cluster
 * @param kept what is held, for the page, metrics and events
 * @param backOff when a pod may be evicted again
 */
public record RestartGates(
    ThrottleGate throttled,
    NodeGate node,
    JobCompletionGate successes,
    EvictionGate evictions,
    WorkloadGate workloads,
    SuppressedRestarts kept,
    EvictionBackOff backOff) {
  /**
   * Creates the gates.
   *
   * @param configuration asked for each decision, as it may be reloaded
   * @param evicts whether pods are removed rather than containers stopped; asked each time
   * @param entries counts restarts in the whole cluster
   * @param known the pods of the node
   * @param listener takes what is held
   * @param evidence reads what the kernel says about containers
   * @param proc where the kernel says how long the node's tasks wait
   * @param time the clock
   * @return the gates; {@link #workloads} takes nothing out before it is started
   */
  public static RestartGates of(
      Supplier<AgentConfiguration> configuration,
      BooleanSupplier evicts,
      RestartEntries entries,
      KnownPods known,
      KeptListener listener,
      EvidenceReader evidence,
      Path proc,
      TimeSource time) {
    SuppressedRestarts kept = new SuppressedRestarts(time, listener);
    EvictionBackOff backOff = new EvictionBackOff();
    Supplier<Removal> removal = () -> configuration.get().restarts().withoutRuntime();
    NodeGate node =
        new NodeGate(
            () -> configuration.get().podRules(),
            () -> configuration.get().restarts().guard(),
            known,
            kept,
            new Pressure(proc.resolve("pressure")),
            time);
    return new RestartGates(
        new ThrottleGate(
            () -> configuration.get().restarts().throttle(), node::observes, evidence, kept, time),
        node,
        new JobCompletionGate(known, kept),
        new EvictionGate(evicts, removal, known, backOff, kept, time),
        new WorkloadGate(
            () -> configuration.get().restarts().workloads(), entries, known, kept, time),
        kept,
        backOff);
  }

  /** {@return all of them, in their order} */
  public RestartGate all() {
    return throttled.and(node).and(successes).and(evictions).and(workloads);
  }

  /**
   * {@return what they would say now}
   *
   * @param time the clock
   */
  public RestartForecast forecast(TimeSource time) {
    return throttled.forecast(
        new GuardedForecast(node, successes, evictions, workloads, kept, time));
  }

  /**
   * Adds the metrics of what is held.
   *
   * @param metrics where to
   */
  public void addTo(MeterRegistry metrics) {
    kept.addTo(metrics);
  }
}
