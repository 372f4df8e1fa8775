package io.probelet.nodehealth.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.kube.ApiPath;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Refused;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.kube.ApiServer;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.RunningRemediations;
import io.probelet.nodehealth.resource.WireNames;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Asks the API server about remediations, each time anew: the status says of one that was just
 * created only a moment later.
 */
public final class ApiRunningRemediations implements RunningRemediations {
  private static final String SUFFIX = "Template";

  /** What may be named in a resource that somebody wrote past all checks. */
  private static final int MAX_KINDS = 20;

  private static final String OURS =
      ApiPath.encoded(WireNames.PART_OF + "=" + WireNames.PART_OF_VALUE);

  private final ApiKinds kinds;

  private record KindName(String apiVersion, String kind) {}

  /**
   * Creates it.
   *
   * @param api whom to ask
   */
  public ApiRunningRemediations(ApiServer api) {
    this.kinds = new ApiKinds(api);
  }

  @Override
  public Presence of(JsonNode resource) {
    String name = resource.at("/metadata/name").asText();
    Presence worst = Presence.NONE;
    for (KindName kind : kinds(resource.path("spec"))) {
      Presence answer = ask(kind, name);
      if (answer == Presence.SOME) {
        return answer;
      }
      if (answer == Presence.NO_ANSWER) {
        worst = answer;
      }
    }
    return worst;
  }

  private static Set<KindName> kinds(JsonNode spec) {
    List<JsonNode> references = new ArrayList<>();
    references.add(spec.path("remediationTemplate"));
    spec.path("escalatingRemediations")
        .forEach(step -> references.add(step.path("remediationTemplate")));
    Set<KindName> kinds = new LinkedHashSet<>();
    for (JsonNode reference : references) {
      String kind = reference.path("kind").asText();
      if (kind.endsWith(SUFFIX) && kinds.size() < MAX_KINDS) {
        kinds.add(
            new KindName(
                reference.path("apiVersion").asText(),
                kind.substring(0, kind.length() - SUFFIX.length())));
      }
    }
    return kinds;
  }

  private Presence ask(KindName kind, String check) {
    return kinds
        .list(kind.apiVersion(), kind.kind(), OURS)
        .map(answer ->
            switch (answer) {
              case Done(JsonNode list) -> isAnyOf(list, check) ? Presence.SOME : Presence.NONE;
              case Refused _ -> Presence.NONE;
              case Unanswered _ -> Presence.NO_ANSWER;
            })
        .orElse(Presence.NONE);
  }

  private static boolean isAnyOf(JsonNode list, String check) {
    for (JsonNode remediation : list.path("items")) {
      for (JsonNode owner : remediation.at("/metadata/ownerReferences")) {
        if (owner.path("kind").asText().equals(NodeHealthCheck.KIND)
            && owner.path("apiVersion").asText().equals(NodeHealthCheck.API_VERSION)
            && owner.path("name").asText().equals(check)) {
          return true;
        }
      }
    }
    return false;
  }
}
