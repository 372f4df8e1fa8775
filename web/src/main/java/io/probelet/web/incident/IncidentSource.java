package io.probelet.web.incident;

import java.util.List;

/** Where recorded incidents come from. */
@FunctionalInterface
public interface IncidentSource {
  /** No incidents. */
  IncidentSource NONE = (_, _) -> List.of();

  /**
   * {@return incidents, oldest first}
   *
   * @param namespace of the pod; empty for all
   * @param pod its name; empty for all
   */
  List<Incident> of(String namespace, String pod);
}
