package io.probelet.web.explain;

import io.probelet.web.api.ViewJson;
import io.probelet.web.http.ContainerChoice;
import io.probelet.web.http.Resource;
import java.util.List;
import java.util.Map;

/**
 * {@code /api/v1/explain}: the probes of a pod's containers, their values and origins, and what
 * happens next.
 */
public final class ExplainResource implements Resource {
  private final Explanations explanations;

  /**
   * Creates the resource.
   *
   * @param explanations asked at each request
   */
  public ExplainResource(Explanations explanations) {
    this.explanations = explanations;
  }

  @Override
  public Answer get(Map<String, List<String>> query) throws Exception {
    ContainerChoice choice = ContainerChoice.of(query);
    if (choice.pod().isEmpty()) {
      throw new BadRequest("pod is missing; use pod=NAMESPACE/NAME");
    }
    List<ExplainView> views = explanations.of(choice);
    return new Answer(200, JSON, out -> ViewJson.writeAll(views, ExplainView.class, out));
  }
}
