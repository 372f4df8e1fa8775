package io.probelet.nodehealth.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.kube.ApiPath;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.kube.object.KeptFields;
import io.probelet.kube.object.ObjectLimits;
import io.probelet.kube.watch.ObjectList;
import io.probelet.kube.watch.Selection;
import java.util.Optional;

/** Lists all objects of a kind, given only its name. */
final class ApiKinds {
  private static final int PAGE = 200;

  private final ApiServer api;

  ApiKinds(ApiServer api) {
    this.api = api;
  }

  /**
   * Lists them.
   *
   * @param selector label selector; empty for all
   * @param taker receives each object
   * @return {@link Done} if these were all; empty if the API server does not serve the kind
   */
  Optional<ApiResult> list(
      String apiVersion, String kind, String selector, KeptFields fields, ObjectList.Taker taker) {
    String root = ApiPath.root(apiVersion);
    ApiResult found = api.get(root);
    if (found.isNotFound()) {
      return Optional.empty();
    }
    if (!(found instanceof Done(JsonNode list))) {
      return Optional.of(found);
    }
    for (JsonNode resource : list.path("resources")) {
      String plural = resource.path("name").asText();
      if (resource.path("kind").asText().equals(kind) && plural.indexOf('/') < 0) {
        return Optional.of(
            ObjectList.read(
                api,
                new Selection(kind, root + "/" + plural, "", selector, PAGE),
                fields,
                ObjectLimits.USUAL,
                taker));
      }
    }
    return Optional.empty();
  }
}
