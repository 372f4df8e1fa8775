package io.probelet.agent.config;

import io.probelet.manifest.policy.PodRules;
import io.probelet.manifest.policy.PolicySettings;
import io.probelet.manifest.policy.ProbeAgent;
import io.probelet.manifest.policy.ProbeOrigin;
import io.probelet.runtime.cri.CriOptions;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.scrape.ScrapeSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * How an agent in a cluster works.
 *
 * @param origins where the probes of pods come from that do not choose for themselves
 * @param execHold how long the command of an exec probe keeps its slot while others wait for it
 * @param restarts which containers are stopped when a probe says so
 * @param policy the most that pods may ask for
 * @param orders what orders to the node may do
 * @param incidents what the record of an incident may hold
 */
public record AgentConfiguration(
    Set<ProbeOrigin> origins,
    RuntimeChoice runtime,
    Duration execHold,
    RestartSettings restarts,
    PolicySettings policy,
    NodeSettings node,
    OrderSettings orders,
    HttpSettings http,
    ProbeAgent userAgent,
    IncidentSettings incidents) {
  /** The default. */
  public static final AgentConfiguration DEFAULT =
      new AgentConfiguration(
          EnumSet.allOf(ProbeOrigin.class),
          new RuntimeChoice.Usual(),
          CriOptions.DEFAULT_EXEC_HOLD,
          RestartSettings.DEFAULT,
          PolicySettings.DEFAULT,
          new NodeSettings(
              List.of(NodeSettings.BUILT_IN), StateFolder.of(System.getenv()), UploadSettings.OFF),
          OrderSettings.OFF,
          new HttpSettings(
              ListenAddress.parse(ListenAddress.DEFAULT), Set.of(), ScrapeSettings.OFF),
          ProbeAgent.KUBE_PROBE,
          IncidentSettings.DEFAULT);

  /** HTTP addresses and the state folder are fixed at start. */
  private static final Set<String> SETTLED_AT_START =
      Set.of(
          "http.listen",
          "metrics",
          "nodeMonitor.stateFolder",
          "orders.enabled",
          "runtime.execHold");

  /** The longest that a command may keep its slot while others wait. */
  static final Duration MAX_EXEC_HOLD = Duration.ofHours(1);

  /** Keeps an unmodifiable copy of the origins. */
  public AgentConfiguration {
    origins = Set.copyOf(origins);
  }

  /**
   * Chooses another runtime.
   *
   * @param choice instead of the present one
   */
  public AgentConfiguration with(RuntimeChoice choice) {
    return new AgentConfiguration(
        origins, choice, execHold, restarts, policy, node, orders, http, userAgent, incidents);
  }

  /**
   * Chooses other monitors.
   *
   * @param monitors instead of the present ones
   */
  public AgentConfiguration with(List<Path> monitors) {
    NodeSettings watched = new NodeSettings(monitors, node.stateFolder(), node.evidence());
    return new AgentConfiguration(
        origins, runtime, execHold, restarts, policy, watched, orders, http, userAgent, incidents);
  }

  /** {@return what holds for pods, and what they may change of it} */
  public PodRules podRules() {
    ThrottleSettings throttle = restarts.throttle();
    return new PodRules(
        origins,
        restarts.enforcement(),
        restarts.namespaces(),
        policy,
        throttle.enabled() ? throttle.maxHold() : Duration.ZERO);
  }

  /**
   * Compares.
   *
   * @param other what was configured before
   * @return the keys, or sections of keys, that say something else there
   */
  Set<String> differingFrom(AgentConfiguration other) {
    Set<String> keys = new LinkedHashSet<>();
    note(keys, "probes.sources", origins, other.origins);
    note(keys, "probes.userAgent", userAgent, other.userAgent);
    note(keys, "runtime.endpoint", runtime, other.runtime);
    note(keys, "runtime.execHold", execHold, other.execHold);
    note(keys, "enforcement", restarts.withGuards(other.restarts), other.restarts);
    note(keys, "guard", restarts.guard(), other.restarts.guard());
    note(keys, "workloadGuard", restarts.workloads(), other.restarts.workloads());
    note(keys, "readinessBudget", restarts.readiness(), other.restarts.readiness());
    note(keys, "throttleGuard", restarts.throttle(), other.restarts.throttle());
    note(keys, "policy", policy, other.policy);
    note(keys, "nodeMonitor.monitors", node.monitors(), other.node.monitors());
    note(keys, "nodeMonitor.stateFolder", node.stateFolder(), other.node.stateFolder());
    note(keys, "incidents", incidents, other.incidents);
    note(keys, "evidence", node.evidence(), other.node.evidence());
    note(keys, "orders.enabled", orders.enabled(), other.orders.enabled());
    note(keys, "orders.units", orders.units(), other.orders.units());
    note(keys, "orders.reboot", orders.reboot(), other.orders.reboot());
    note(keys, "orders.kexec", orders.kexec(), other.orders.kexec());
    note(keys, "orders.sysrq", orders.sysrq(), other.orders.sysrq());
    note(keys, "http.listen", http.listen(), other.http.listen());
    note(keys, "http.hosts", http.hosts(), other.http.hosts());
    note(keys, "metrics", http.metrics(), other.http.metrics());
    return keys;
  }

  private static void note(Set<String> keys, String key, Object now, Object before) {
    if (!now.equals(before)) {
      keys.add(key);
    }
  }

  /**
   * Compares what cannot change while an agent runs.
   *
   * @return the keys whose value takes effect with its next start only
   */
  Set<String> waitingForRestart(AgentConfiguration started) {
    Set<String> keys = differingFrom(started);
    keys.retainAll(SETTLED_AT_START);
    return keys;
  }

  /**
   * Chooses another address.
   *
   * @param address instead of the present one
   */
  public AgentConfiguration with(ListenAddress address) {
    return with(new HttpSettings(address, http.hosts(), http.metrics()));
  }

  /**
   * Chooses how metrics are scraped from elsewhere.
   *
   * @param metrics instead of the present way
   */
  public AgentConfiguration with(ScrapeSettings metrics) {
    return with(http.with(metrics));
  }

  private AgentConfiguration with(HttpSettings served) {
    return new AgentConfiguration(
        origins, runtime, execHold, restarts, policy, node, orders, served, userAgent, incidents);
  }
}
