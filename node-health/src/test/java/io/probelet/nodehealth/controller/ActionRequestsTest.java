package io.probelet.nodehealth.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Refused;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.nodehealth.controller.ActionStep.Finished;
import io.probelet.nodehealth.controller.ActionStep.Send;
import io.probelet.nodehealth.remediation.LeaseClaim;
import io.probelet.nodehealth.remediation.OwnerRef;
import io.probelet.nodehealth.remediation.RemediationAction;
import io.probelet.nodehealth.remediation.RemediationAction.ClaimLease;
import io.probelet.nodehealth.remediation.RemediationAction.ClearConfirmation;
import io.probelet.nodehealth.remediation.RemediationAction.CreateRemediation;
import io.probelet.nodehealth.remediation.RemediationDraft;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ActionRequestsTest {
  private static final ApiResult DONE = new Done(MissingNode.getInstance());
  private static final ApiResult MISSING = new Refused(404, "not found", null);
  private static final ApiResult EXISTS = new Refused(409, "exists", null);
  private static final ApiResult FORBIDDEN = new Refused(403, "forbidden", null);
  private static final ApiResult SILENCE = new Unanswered("nothing");
  private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/leases/leases";
  private static final String MACHINE =
      "/apis/machine.openshift.io/v1beta1/namespaces/ns/machines/m1";
  private static final String REMEDIATIONS = "/apis/example.io/v1/namespaces/ns/rebootremediations";

  private final List<ApiRequest> sent = new ArrayList<>();
  private ApiResult result;

  @Test
  @DisplayName("R-14 the namespace of the leases is created when it is missing, and then the lease")
  void namespaceOfLeases() {
    assertThat(play(claim(null), DONE)).containsExactly("CREATE " + LEASES);
    assertThat(play(claim("7"), DONE)).containsExactly("REPLACE " + LEASES + "/node-n1");
    for (ApiResult made : List.of(DONE, EXISTS)) {
      assertThat(play(claim(null), MISSING, made, DONE))
          .containsExactly("CREATE " + LEASES, "CREATE /api/v1/namespaces", "CREATE " + LEASES);
      assertThat(result).isEqualTo(DONE);
      assertThat(sent.get(1).body().at("/metadata/name").asText()).isEqualTo("leases");
    }
    assertThat(play(claim(null), MISSING, FORBIDDEN)).hasSize(2);
    assertThat(result).isEqualTo(FORBIDDEN);
    assertThat(play(claim("7"), MISSING)).as("one that was there is not made anew").hasSize(1);
  }

  @Test
  @DisplayName("R-15 the uid of a node's machine is read first; one that is gone owns nothing")
  void machine() {
    assertThat(play(create("m-uid"), DONE)).containsExactly("CREATE " + REMEDIATIONS);
    JsonNode machine = JsonNodeFactory.instance.objectNode().set("metadata", uid("read-uid"));
    assertThat(play(create(""), new Done(machine), DONE))
        .containsExactly("GET " + MACHINE, "CREATE " + REMEDIATIONS);
    assertThat(owners()).containsExactly("nhc-uid", "read-uid");
    assertThat(play(create(""), MISSING, DONE)).hasSize(2);
    assertThat(owners()).containsExactly("nhc-uid");
  }

  @Test
  @DisplayName("R-15, N-1 nothing is created while nobody knows whether there is a machine")
  void machineUnknown() {
    for (ApiResult unclear : List.of(SILENCE, FORBIDDEN)) {
      assertThat(play(create(""), unclear)).containsExactly("GET " + MACHINE);
      assertThat(result).isInstanceOf(Unanswered.class);
    }
  }

  @Test
  @DisplayName("a kind that is not served any more is not found, and nothing is sent")
  void kindGone() {
    ActionStep step = new ActionRequests("leases", _ -> Optional.empty()).begin(create("m-uid"));
    assertThat(step).isInstanceOf(Finished.class);
    assertThat(((Finished) step).result().isNotFound()).isTrue();
  }

  @Test
  @DisplayName("R-8 the confirmation is removed by its name, escaped as a path has to be")
  void confirmation() {
    assertThat(play(new ClearConfirmation("n1"), DONE))
        .containsExactly("JSON_PATCH /api/v1/nodes/n1");
    assertThat(sent.getFirst().body().at("/0/path").asText())
        .isEqualTo("/metadata/annotations/remediation.medik8s.io~1manually-confirmed-healthy");
  }

  private List<String> play(RemediationAction action, ApiResult... answers) {
    ActionRequests requests =
        new ActionRequests(
            "leases",
            name ->
                Optional.of(new Kind(name.apiVersion(), name.kind(), "rebootremediations", true)));
    Iterator<ApiResult> next = Arrays.asList(answers).iterator();
    sent.clear();
    ActionStep step = requests.begin(action);
    while (step instanceof Send(ApiRequest request, var then)) {
      sent.add(request);
      step = then.apply(next.next());
    }
    result = ((Finished) step).result();
    assertThat(next.hasNext()).as("all answers were asked for").isFalse();
    return sent.stream().map(request -> request.method() + " " + request.path()).toList();
  }

  private List<String> owners() {
    return sent.getLast().body().at("/metadata/ownerReferences").findValuesAsText("uid");
  }

  private static ClaimLease claim(String replaces) {
    return new ClaimLease(
        "n1",
        new LeaseClaim(
            "node-n1",
            "NodeHealthCheck-nhc",
            "n1-uid",
            Instant.EPOCH,
            Instant.EPOCH,
            Duration.ofMinutes(11),
            0,
            replaces));
  }

  private static CreateRemediation create(String machineUid) {
    return new CreateRemediation(
        "n1",
        new RemediationDraft(
            "example.io/v1",
            "RebootRemediation",
            "ns",
            "n1",
            null,
            Map.of(),
            Map.of(),
            List.of(
                new OwnerRef(
                    "remediation.medik8s.io/v1alpha1", "NodeHealthCheck", "nhc", "nhc-uid"),
                new OwnerRef("machine.openshift.io/v1beta1", "Machine", "m1", machineUid)),
            null));
  }

  private static JsonNode uid(String uid) {
    return JsonNodeFactory.instance.objectNode().put("uid", uid);
  }
}
