package io.probelet.kube.event;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Who writes Events.
 *
 * @param component the program, as {@code reportingComponent} has it
 * @param instance which one of its processes, as {@code reportingInstance} has it
 * @param host the node on which it is; empty for one that writes for the whole cluster
 */
public record EventSource(String component, String instance, String host) {
  /** Who notices what happens to pods and nodes. */
  public static final String PROBELET = "probelet";

  /** An agent, which is known by its node. */
  public static EventSource agent(String node) {
    return new EventSource(PROBELET, node, node);
  }

  /**
   * A leader for the whole cluster.
   *
   * @param instance what no other of its processes is called
   */
  public static EventSource leader(String component, String instance) {
    return new EventSource(component, instance, "");
  }

  /** Whether an Event is ours to go on with. A leader goes on with those of its predecessors. */
  boolean wrote(JsonNode event) {
    return host.isEmpty()
        ? event.path("reportingComponent").asText().equals(component)
        : event.path("reportingInstance").asText().equals(instance);
  }
}
