package io.probelet.agent.remediation;

import io.probelet.agent.http.Resource;
import io.probelet.nodehealth.controller.NodeRemediation;
import java.util.List;
import java.util.Map;

/** {@code /api/v1/remediation}: why each unhealthy node is remediated, or not (RB-5). */
public final class RemediationResource implements Resource {
  private final NodeRemediation remediation;

  /**
   * Creates the resource.
   *
   * @param remediation asked at each request
   */
  public RemediationResource(NodeRemediation remediation) {
    this.remediation = remediation;
  }

  @Override
  public Answer get(Map<String, List<String>> query) throws Exception {
    RemediationView view =
        RemediationView.of(remediation.report(), remediation.leader().orElse(null));
    return Answer.of(200, JSON, view.json());
  }
}
