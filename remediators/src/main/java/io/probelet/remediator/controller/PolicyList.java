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
import java.util.Set;
import java.util.function.Function;

/** Reads the RemediationPolicies as they are now. */
final class PolicyList {
  static final String VERSION = ApiPath.root(RemediationPolicy.API_VERSION);

  private PolicyList() {}

  static String path(String name) {
    return VERSION + "/" + RemediationPolicy.PLURAL + "/" + ApiPath.encoded(name);
  }

  /**
   * The plural names of the installed kinds of probelet.io. A client without permission to list a
   * kind gets the same response whether the kind is installed or not.
   */
  static Set<String> installed(ApiServer api) throws UnreadableException {
    ApiResult kinds = api.get(VERSION);
    if (kinds.isNotFound()) {
      return Set.of();
    }
    if (!(kinds instanceof Done(JsonNode served))) {
      throw new UnreadableException("the kinds of " + RemediationPolicy.API_VERSION, kinds);
    }
    return Set.copyOf(served.path("resources").findValuesAsText("name"));
  }

  /**
   * All policies; none if the kind is not installed.
   *
   * @param installed the installed kinds
   */
  static List<State> read(ApiServer api, Set<String> installed) throws UnreadableException {
    if (!installed.contains(RemediationPolicy.PLURAL)) {
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
