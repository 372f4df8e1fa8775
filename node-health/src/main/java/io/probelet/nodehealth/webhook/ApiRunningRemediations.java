package io.probelet.nodehealth.webhook;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.kube.ApiServer;
import io.probelet.kube.object.BoundedObject.TooLarge;
import io.probelet.kube.object.KeptFields;
import io.probelet.kube.watch.ObjectList;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.RunningRemediations;
import io.probelet.nodehealth.resource.WireNames;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Queries the API server for remediations each time, because the status shows a new one only a
 * moment later.
 */
public final class ApiRunningRemediations implements RunningRemediations {
  private static final String SUFFIX = "Template";

  /** Maximum number of kinds to query; an unvalidated resource may name more. */
  private static final int MAX_KINDS = 20;

  private static final KeptFields OWNERS = KeptFields.of("/metadata/ownerReferences");

  private static final String OURS = WireNames.PART_OF + "=" + WireNames.PART_OF_VALUE;

  private final ApiKinds kinds;

  private record KindName(String apiVersion, String kind) {}

  /** Creates it. */
  public ApiRunningRemediations(ApiServer api) {
    this.kinds = new ApiKinds(api);
  }

  @Override
  public Presence of(JsonNode resource) {
    String name = resource.at("/metadata/name").asText();
    Set<KindName> named = kinds(resource.path("spec"));
    if (named.size() > MAX_KINDS) {
      return Presence.NO_ANSWER; // remediations of the other kinds may be running
    }
    Presence worst = Presence.NONE;
    for (KindName kind : named) {
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
      if (kind.endsWith(SUFFIX)) {
        kinds.add(
            new KindName(
                reference.path("apiVersion").asText(),
                kind.substring(0, kind.length() - SUFFIX.length())));
      }
    }
    return kinds;
  }

  private Presence ask(KindName kind, String check) {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger unread = new AtomicInteger();
    Optional<ApiResult> answer =
        kinds.list(
            kind.apiVersion(),
            kind.kind(),
            OURS,
            OWNERS,
            new ObjectList.Taker() {
              @Override
              public void take(ObjectNode remediation) {
                if (isOf(remediation, check)) {
                  running.incrementAndGet();
                }
              }

              @Override
              public void tooLarge(TooLarge remediation) {
                unread.incrementAndGet();
              }
            });
    if (running.get() > 0) {
      return Presence.SOME;
    }
    return unread.get() > 0 || answer.orElse(null) instanceof Unanswered
        ? Presence.NO_ANSWER
        : Presence.NONE;
  }

  private static boolean isOf(JsonNode remediation, String check) {
    for (JsonNode owner : remediation.at("/metadata/ownerReferences")) {
      if (owner.path("kind").asText().equals(NodeHealthCheck.KIND)
          && owner.path("apiVersion").asText().equals(NodeHealthCheck.API_VERSION)
          && owner.path("name").asText().equals(check)) {
        return true;
      }
    }
    return false;
  }
}
