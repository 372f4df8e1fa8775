package io.probelet.web.incident;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Explains recorded incidents. Nothing is stored: a later version may judge better. */
public final class Incidents {
  private final IncidentSource source;

  /** The container of an incident, whatever instance of it. */
  private record Owner(String namespace, String pod, String container) {}

  /**
   * Creates a reader of incidents.
   *
   * @param source asked at each call
   */
  public Incidents(IncidentSource source) {
    this.source = source;
  }

  /**
   * {@return incidents with their causes, newest first}
   *
   * @param namespace of the pod; empty for all
   * @param pod its name; empty for all
   * @param container its name; empty for all
   */
  public List<ExplainedIncident> explained(String namespace, String pod, String container) {
    Map<Owner, List<Incident>> before = new HashMap<>();
    List<ExplainedIncident> explained = new ArrayList<>();
    for (Incident incident : source.of(namespace, pod)) {
      if (container.isEmpty() || incident.container().equals(container)) {
        List<Incident> own =
            before.computeIfAbsent(
                new Owner(incident.namespace(), incident.pod(), incident.container()),
                _ -> new ArrayList<>());
        own.add(incident);
        explained.add(
            new ExplainedIncident(incident, Causes.of(incident), IncidentPattern.of(own)));
      }
    }
    return explained.reversed();
  }
}
