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
import java.util.Optional;
import java.util.function.Function;

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
    // Who leads the NodeHealthChecks counts nodes; until it has, a percentage is of none.
    return all(
        api,
        Selection.all(RemediationPolicy.KIND, VERSION + "/" + RemediationPolicy.PLURAL),
        KeptFields.ALL,
        ObjectLimits.LARGE,
        "the RemediationPolicies",
        object ->
            Optional.of(
                new State(
                    RemediationPolicyReader.read(object),
                    object.at("/status/nodes").asInt(),
                    PolicyJson.recent(object))));
  }

  /**
   * Reads all objects of a kind; none if the kind is not installed. A limit holds that is not
   * known, so an object that is too large counts as not read.
   *
   * @param reader reads what is kept of one; empty for nothing
   */
  static <T> List<T> all(
      ApiServer api,
      Selection selection,
      KeptFields fields,
      ObjectLimits limits,
      String what,
      Function<ObjectNode, Optional<T>> reader)
      throws UnreadableException {
    List<T> read = new ArrayList<>();
    List<String> unread = new ArrayList<>();
    ApiResult answer =
        ObjectList.read(
            api,
            selection,
            fields,
            limits,
            new ObjectList.Taker() {
              @Override
              public void take(ObjectNode object) {
                reader.apply(object).ifPresent(read::add);
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
      throw new UnreadableException(what, answer);
    }
    if (!unread.isEmpty()) {
      throw new UnreadableException(what, new Unanswered(unread.getFirst()));
    }
    return read;
  }
}
