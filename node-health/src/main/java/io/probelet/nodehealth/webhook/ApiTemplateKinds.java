package io.probelet.nodehealth.webhook;

import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.kube.object.KeptFields;
import io.probelet.nodehealth.resource.TemplateKinds;
import io.probelet.nodehealth.wire.RemediationJson;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Queries the API server for templates each time. */
public final class ApiTemplateKinds implements TemplateKinds {
  private final ApiKinds kinds;

  /** Creates it. */
  public ApiTemplateKinds(ApiServer api) {
    this.kinds = new ApiKinds(api);
  }

  @Override
  public Several severalOf(String apiVersion, String kind) {
    AtomicInteger templates = new AtomicInteger();
    AtomicInteger single = new AtomicInteger();
    Optional<ApiResult> answer =
        kinds.list(
            apiVersion,
            kind,
            "",
            KeptFields.ALL,
            template -> { // an object that is too large counts as without the annotation
              templates.incrementAndGet();
              if (!RemediationJson.readTemplate(template).severalOfItsKind()) {
                single.incrementAndGet();
              }
            });
    if (answer.isEmpty()) {
      return Several.REFUSED;
    }
    if (!(answer.get() instanceof Done)) {
      return Several.UNKNOWN;
    }
    return templates.get() == 0 || single.get() > 0 ? Several.REFUSED : Several.ALLOWED;
  }
}
