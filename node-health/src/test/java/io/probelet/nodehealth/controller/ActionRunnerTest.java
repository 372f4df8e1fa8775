package io.probelet.nodehealth.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Refused;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.nodehealth.remediation.RemediationAction;
import io.probelet.nodehealth.remediation.RemediationAction.DeleteRemediation;
import java.io.IOException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What became of a write whose response does not say so. */
class ActionRunnerTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @ParameterizedTest
  @CsvSource({
    "create, none, ours, true",
    "create, none, absent, false",
    "create, 409, ours, true", // sent twice, or by the leader before
    "create, 409, foreign, false",
    "create, 412, ours, false", // not sent: the node was no longer unhealthy
    "create, 403, ours, false",
    "delete, none, absent, true",
    "delete, none, ours, false",
    "delete, 404, absent, true", // sent twice
    "delete, 409, absent, false"
  })
  @DisplayName("R-21 a remediation that was created or removed is reported, even if sent twice")
  void done(String action, String answer, String found, boolean done) throws IOException {
    ApiResult result =
        answer.equals("none")
            ? new Unanswered("nothing")
            : new Refused(Integer.parseInt(answer), "why", null);
    assertThat(ActionRunner.isDone(action(action), "nhc-uid", result, found(found)))
        .isEqualTo(done);
  }

  private static RemediationAction action(String name) {
    return name.equals("create")
        ? ActionRequestsTest.create("m-uid")
        : new DeleteRemediation("n1", ActionRequestsTest.REMEDIATION);
  }

  private static ApiResult found(String what) throws IOException {
    if (what.equals("absent")) {
      return new Refused(404, "not found", null);
    }
    String uid = what.equals("ours") ? "nhc-uid" : "other";
    return new Done(
        JSON.readTree("{\"metadata\": {\"ownerReferences\": [{\"uid\": \"" + uid + "\"}]}}"));
  }
}
