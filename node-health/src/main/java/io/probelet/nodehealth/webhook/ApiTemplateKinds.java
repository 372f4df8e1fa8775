package io.probelet.nodehealth.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.nodehealth.resource.TemplateKinds;
import io.probelet.nodehealth.wire.RemediationJson;

/** Asks the API server about templates, each time anew. */
public final class ApiTemplateKinds implements TemplateKinds {
  private final ApiKinds kinds;

  /**
   * Creates it.
   *
   * @param api whom to ask
   */
  public ApiTemplateKinds(ApiServer api) {
    this.kinds = new ApiKinds(api);
  }

  @Override
  public Several severalOf(String apiVersion, String kind) {
    return kinds.list(apiVersion, kind, "").map(ApiTemplateKinds::read).orElse(Several.REFUSED);
  }

  private static Several read(ApiResult answer) {
    if (!(answer instanceof Done(JsonNode list))) {
      return Several.UNKNOWN;
    }
    JsonNode items = list.path("items");
    for (JsonNode template : items) {
      if (!RemediationJson.readTemplate(template).severalOfItsKind()) {
        return Several.REFUSED;
      }
    }
    return items.isEmpty() ? Several.REFUSED : Several.ALLOWED;
  }
}
