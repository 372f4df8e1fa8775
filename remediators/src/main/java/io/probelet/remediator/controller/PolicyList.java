package io.probelet.remediator.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.ApiPath;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.kube.ApiServer;
import io.probelet.kube.object.BoundedObject.TooLarge;
import io.probelet.kube.object.KeptFields;
import io.probelet.kube.object.ObjectLimits;
import io.probelet.kube.watch.ObjectList;
import io.probelet.kube.watch.Selection;
import io.probelet.nodehealth.policy.PolicyFacts.State;
import io.probelet.nodehealth.policy.RemediationPolicy;
import io.probelet.nodehealth.policy.RemediationPolicyReader;
import io.probelet.nodehealth.wire.PolicyJson;
import java.util.ArrayList;
import java.util.List;

/** Reads the RemediationPolicies as they are now. */
final class PolicyList {
  private static final String VERSION = "/apis/" + RemediationPolicy.API_VERSION;

  private PolicyList() {}

  static String path(String name) {
    return VERSION + "/" + RemediationPolicy.PLURAL + "/" + ApiPath.encoded(name);
  }

  /**
   * All of them; none if the kind is not installed. That is found out by discovery, as who lacks
   * the right to list them gets the same answer whether there is the kind or not.
   */
  static List<State> read(ApiServer api) throws UnreadableException {
    ApiResult kinds = api.get(VERSION);
    if (kinds.isNotFound()) {
      return List.of();
    }
    if (!(kinds instanceof Done(JsonNode served))) {
      throw new UnreadableException("the kinds of " + RemediationPolicy.API_VERSION, kinds);
    }
    boolean installed =
        served.path("resources").findValuesAsText("name").contains(RemediationPolicy.PLURAL);
    if (!installed) {
      return List.of();
    }
    List<State> policies = new ArrayList<>();
    List<String> unread = new ArrayList<>();
    ApiResult answer =
        ObjectList.read(
            api,
            Selection.all(RemediationPolicy.KIND, VERSION + "/" + RemediationPolicy.PLURAL),
            KeptFields.ALL,
            ObjectLimits.LARGE,
            new ObjectList.Taker() {
              @Override
              public void take(ObjectNode object) {
                // Who leads the NodeHealthChecks counts nodes; until it has, a percentage is of
                // none.
                policies.add(
                    new State(
                        RemediationPolicyReader.read(object),
                        object.at("/status/nodes").asInt(),
                        PolicyJson.recent(object)));
              }

              @Override
              public void tooLarge(TooLarge object) {
                unread.add(object.text());
              }
            });
    if (answer.isNotFound()) {
      return List.of();
    }
    if (!(answer instanceof Done)) {
      throw new UnreadableException("the RemediationPolicies", answer);
    }
    if (!unread.isEmpty()) { // a limit that is not known holds
      throw new UnreadableException("the RemediationPolicies", new Unanswered(unread.getFirst()));
    }
    return policies;
  }
}
