package io.probelet.agent.config;

import io.probelet.agent.cluster.restart.RestartSettings;
import io.probelet.agent.http.ListenAddress;
import io.probelet.agent.manifest.pod.ProbeOrigin;
import io.probelet.agent.node.NodeOptions;
import io.probelet.agent.run.StateFolder;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * How an agent in a cluster works.
 *
 * @param origins where the probes of pods come from that do not choose for themselves
 * @param runtime which container runtime sees the containers
 * @param restarts which containers are stopped when a probe says so
 * @param node how the node itself is watched
 * @param listen where status and metrics are served
 */
public record AgentConfiguration(
    Set<ProbeOrigin> origins,
    RuntimeChoice runtime,
    RestartSettings restarts,
    NodeSettings node,
    ListenAddress listen) {
  /** What holds where nothing is said. */
  public static final AgentConfiguration DEFAULT =
      new AgentConfiguration(
          EnumSet.allOf(ProbeOrigin.class),
          new RuntimeChoice.Usual(),
          RestartSettings.DEFAULT,
          new NodeSettings(List.of(NodeOptions.DEFAULTS), StateFolder.of(System.getenv())),
          ListenAddress.parse(ListenAddress.DEFAULT));

  /** Copies the origins. */
  public AgentConfiguration {
    origins = Set.copyOf(origins);
  }

  /**
   * Chooses another runtime.
   *
   * @param choice instead of the present one
   * @return the same but for that
   */
  public AgentConfiguration with(RuntimeChoice choice) {
    return new AgentConfiguration(origins, choice, restarts, node, listen);
  }

  /**
   * Chooses another address.
   *
   * @param address instead of the present one
   * @return the same but for that
   */
  public AgentConfiguration with(ListenAddress address) {
    return new AgentConfiguration(origins, runtime, restarts, node, address);
  }
}
