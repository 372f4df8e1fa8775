package io.probelet.checks.object;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.probelet.checks.error.ErrorCode;
import io.probelet.checks.result.CheckResult;
import io.probelet.checks.result.CheckResult.Unhealthy;
import java.util.ArrayList;
import java.util.List;

/**
 * Wants a resource of Gardener's extensions, a Worker say, to have been reconciled as it is wanted
 * now, without an error (CH-40).
 */
final class ExtensionHealth {
  private static final String OPERATION = "gardener.cloud/operation";
  private static final KindRule SEEN = KindRule.of(KindRule.observedExactly());

  private ExtensionHealth() {}

  static CheckResult check(HasMetadata extension) {
    JsonNode tree = AnyResource.tree(extension);
    JsonNode error = tree.at("/status/lastError");
    if (error.isObject()) {
      return new Unhealthy(
          "error during reconciliation: " + error.path("description").asText(),
          ErrorCode.known(names(error.path("codes"))));
    }
    CheckResult seen = SEEN.check(extension);
    if (!(seen instanceof CheckResult.Healthy)) {
      return seen;
    }
    JsonNode asked = tree.at("/metadata/annotations").path(OPERATION);
    if (!asked.isMissingNode()) {
      return CheckResult.unhealthy(
          "operation \"" + asked.asText() + "\" was requested but has not started");
    }
    JsonNode state = tree.at("/status/lastOperation/state");
    if (state.isMissingNode()) {
      return CheckResult.unhealthy("not reconciled yet");
    }
    return "Succeeded".equals(state.asText())
        ? CheckResult.healthy()
        : CheckResult.unhealthy("last operation is " + state.asText() + " (expected Succeeded)");
  }

  private static List<String> names(JsonNode codes) {
    List<String> names = new ArrayList<>();
    codes.forEach(code -> names.add(code.asText()));
    return names;
  }
}
