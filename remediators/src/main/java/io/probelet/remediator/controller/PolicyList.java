package io.probelet.remediator.controller;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.kube.ApiPath;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
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
    ApiResult answer = api.get(VERSION + "/" + RemediationPolicy.PLURAL);
    if (answer.isNotFound()) {
      return List.of();
    }
    if (!(answer instanceof Done(JsonNode list))) {
      throw new UnreadableException("the RemediationPolicies", answer);
    }
    List<State> policies = new ArrayList<>();
    for (JsonNode object : list.path("items")) {
      // Who leads the NodeHealthChecks counts nodes; until it has, a percentage is of none.
      policies.add(
          new State(
              RemediationPolicyReader.read(object),
              object.at("/status/nodes").asInt(),
              PolicyJson.recent(object)));
    }
    return policies;
  }
}
