package io.probelet.web.incident;

import io.probelet.web.api.ViewJson;
import io.probelet.web.http.ContainerChoice;
import io.probelet.web.http.Resource;
import java.util.List;
import java.util.Map;

/**
 * {@code /api/v1/incidents}: what happened to containers and why, newest first. {@code
 * pod=NAMESPACE/NAME} and {@code container=NAME} choose some.
 */
public final class IncidentsResource implements Resource {
  private final Incidents incidents;

  /**
   * Creates the resource.
   *
   * @param incidents asked at each request
   */
  public IncidentsResource(Incidents incidents) {
    this.incidents = incidents;
  }

  @Override
  public Answer get(Map<String, List<String>> query) throws Exception {
    ContainerChoice choice = ContainerChoice.of(query);
    List<ExplainedIncident> found =
        incidents.explained(choice.namespace(), choice.pod(), choice.container());
    return new Answer(200, JSON, out -> ViewJson.writeAll(found, ExplainedIncident.class, out));
  }
}
