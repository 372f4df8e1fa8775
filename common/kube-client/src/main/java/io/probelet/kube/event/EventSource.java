package io.probelet.kube.event;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * The reporter of Events.
 *
 * @param component the {@code reportingComponent}
 * @param instance the {@code reportingInstance}
 * @param host its node; empty for a cluster-wide reporter
 */
public record EventSource(String component, String instance, String host) {
  /** The component that reports on pods and nodes. */
  public static final String PROBELET = "probelet";

  /** An agent, identified by its node. */
  public static EventSource agent(String node) {
    return new EventSource(PROBELET, node, node);
  }

  /**
   * A leader for the whole cluster.
   *
   * @param instance the unique name of the process
   */
  public static EventSource leader(String component, String instance) {
    return new EventSource(component, instance, "");
  }

  /** Whether we may continue an Event. A leader continues those of its predecessors. */
  boolean wrote(JsonNode event) {
    return host.isEmpty()
        ? event.path("reportingComponent").asText().equals(component)
        : event.path("reportingInstance").asText().equals(instance);
  }
}
