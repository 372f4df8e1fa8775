package io.probelet.nodehealth.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Refused;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.nodehealth.controller.ActionRequests.ApiRequest;
import io.probelet.nodehealth.controller.ActionRunner.ActionStep;
import io.probelet.nodehealth.controller.ActionRunner.ActionStep.Finished;
import io.probelet.nodehealth.controller.ActionRunner.ActionStep.Send;
import io.probelet.nodehealth.policy.PastRemediation;
import io.probelet.nodehealth.remediation.NodeLease;
import io.probelet.nodehealth.remediation.NodeLease.LeaseClaim;
import io.probelet.nodehealth.remediation.ObservedRemediation;
import io.probelet.nodehealth.remediation.ObservedRemediation.Success;
import io.probelet.nodehealth.remediation.RemediationAction;
import io.probelet.nodehealth.remediation.RemediationAction.ClaimLease;
import io.probelet.nodehealth.remediation.RemediationAction.ClearConfirmation;
import io.probelet.nodehealth.remediation.RemediationAction.CountRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.CreateRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.DeleteRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.EmitEvent;
import io.probelet.nodehealth.remediation.RemediationAction.FlagOld;
import io.probelet.nodehealth.remediation.RemediationAction.MarkHealthyDelay;
import io.probelet.nodehealth.remediation.RemediationAction.MarkTimedOut;
import io.probelet.nodehealth.remediation.RemediationAction.ReleaseLease;
import io.probelet.nodehealth.remediation.RemediationAction.TakeApproval;
import io.probelet.nodehealth.remediation.RemediationDraft;
import io.probelet.nodehealth.remediation.RemediationDraft.OwnerRef;
import io.probelet.nodehealth.resource.ObjectRef;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

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

  private static final String POLICY = "/apis/probelet.io/v1alpha1/remediationpolicies/limits";

  private static final CountRemediation COUNT =
      new CountRemediation(
          "n1", "limits", new PastRemediation("n1", "RebootRemediation", Instant.EPOCH));

  private static final Kind REBOOTS =
      new Kind("example.io/v1", "RebootRemediation", "rebootremediations", true);
  private static final ReleaseLease RELEASE =
      new ReleaseLease(
          "n1",
          new NodeLease(
              "node-n1",
              "NodeHealthCheck-nhc",
              Instant.EPOCH,
              Instant.EPOCH,
              Duration.ofMinutes(11),
              0,
              "7"));
  static final ObservedRemediation REMEDIATION =
      new ObservedRemediation(
          new ObjectRef("example.io/v1", "RebootRemediation", "ns", "n1"),
          "r-uid",
          Instant.EPOCH,
          false,
          Map.of(),
          Map.of(),
          List.of(),
          Success.UNKNOWN,
          false);

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
    ActionRequests gone = new ActionRequests("leases", _ -> Optional.empty());
    assertThat(run(gone.begin(new FlagOld("n1", REMEDIATION)))).isEmpty();
    assertThat(result)
        .isEqualTo(new Refused(404, "kind RebootRemediation is no longer known", null));
    assertThat(gone.permission(create("m-uid"))).isEmpty();
  }

  @Test
  @DisplayName("R-8 the confirmation is removed by its name, escaped as a path has to be")
  void confirmation() {
    assertThat(play(new ClearConfirmation("n1"), DONE))
        .containsExactly("JSON_PATCH /api/v1/nodes/n1");
    assertThat(sent.getFirst().body().at("/0/path").asText())
        .isEqualTo("/metadata/annotations/remediation.medik8s.io~1manually-confirmed-healthy");
  }

  @ParameterizedTest
  @MethodSource("writes")
  @DisplayName("N-3 a write names the object it was decided for, by its version or identifier")
  void preconditions(RemediationAction action, String request, String body) throws Exception {
    assertThat(play(action, DONE)).containsExactly(request);
    assertThat(result).isEqualTo(DONE);
    assertThat(sent.getFirst().body())
        .isEqualTo(new ObjectMapper().readTree(body.replace('\'', '"')));
  }

  static Stream<Arguments> writes() {
    String options =
        "{'apiVersion': 'v1', 'kind': 'DeleteOptions', 'propagationPolicy':"
            + " 'Background', 'preconditions': {'%s': '%s'}}";
    String patch = "{'metadata': {'uid': 'r-uid', 'annotations': {'%s': '%s'}}}";
    return Stream.of(
        Arguments.of(
            RELEASE, "DELETE " + LEASES + "/node-n1", options.formatted("resourceVersion", "7")),
        Arguments.of(
            new DeleteRemediation("n1", REMEDIATION),
            "DELETE " + REMEDIATIONS + "/n1",
            options.formatted("uid", "r-uid")),
        Arguments.of(
            new MarkTimedOut("n1", REMEDIATION, Instant.EPOCH),
            "MERGE_PATCH " + REMEDIATIONS + "/n1",
            patch.formatted("remediation.medik8s.io/nhc-timed-out", "1970-01-01T00:00:00Z")),
        Arguments.of(
            new MarkHealthyDelay("n1", REMEDIATION, Instant.EPOCH),
            "MERGE_PATCH " + REMEDIATIONS + "/n1",
            patch.formatted("remediation.medik8s.io/healthy-delay", "1970-01-01T00:00:00Z")),
        Arguments.of(
            new FlagOld("n1", REMEDIATION),
            "MERGE_PATCH " + REMEDIATIONS + "/n1",
            patch.formatted("nodehealthcheck.medik8s.io/old-remediation-cr-flag", "flagon")),
        Arguments.of(
            new ClearConfirmation("n1"),
            "JSON_PATCH /api/v1/nodes/n1",
            "[{'op': 'remove', 'path': '/metadata/annotations/"
                + "remediation.medik8s.io~1manually-confirmed-healthy'}]"),
        Arguments.of( // ACT-79: entries do not exclude each other, so it names no version
            COUNT,
            "MERGE_PATCH " + POLICY + "/status",
            "{'status': {'recent': {'1970-01-01T00:00:00Z n1': 'RebootRemediation'}}}"),
        Arguments.of(
            new TakeApproval("n1", "A,B", "A"),
            "JSON_PATCH /api/v1/nodes/n1",
            "[{'op': 'test', 'path': '/metadata/annotations/probelet.io~1approved', 'value':"
                + " 'A,B'}, {'op': 'replace', 'path':"
                + " '/metadata/annotations/probelet.io~1approved', 'value': 'A'}]"),
        Arguments.of(
            new TakeApproval("n1", "B", ""),
            "JSON_PATCH /api/v1/nodes/n1",
            "[{'op': 'test', 'path': '/metadata/annotations/probelet.io~1approved', 'value':"
                + " 'B'}, {'op': 'remove', 'path':"
                + " '/metadata/annotations/probelet.io~1approved'}]"));
  }

  @ParameterizedTest
  @MethodSource("reads")
  @DisplayName(
      "N-3 the object that an action is about is read, and the right that it takes is known")
  void readAndPermission(RemediationAction action, String path, String verb) {
    assertThat(run(requests().read(action), DONE)).containsExactly("GET " + path);
    assertThat(result).isEqualTo(DONE);
    assertThat(requests().permission(action))
        .isEqualTo(
            Optional.ofNullable(verb).map(word -> new MissingPermission(REBOOTS, word, "ns")));
  }

  static Stream<Arguments> reads() {
    return Stream.of(
        Arguments.of(claim(null), LEASES + "/node-n1", null),
        Arguments.of(RELEASE, LEASES + "/node-n1", null),
        Arguments.of(new ClearConfirmation("n1"), "/api/v1/nodes/n1", null),
        Arguments.of(new TakeApproval("n1", "A", ""), "/api/v1/nodes/n1", null),
        Arguments.of(create("m-uid"), REMEDIATIONS + "/n1", "create"),
        Arguments.of(new DeleteRemediation("n1", REMEDIATION), REMEDIATIONS + "/n1", "delete"),
        Arguments.of(new FlagOld("n1", REMEDIATION), REMEDIATIONS + "/n1", "patch"));
  }

  @Test
  @DisplayName("ACT-79 a count is read from the policy, and takes the right to patch its status")
  void count() {
    assertThat(run(requests().read(COUNT), DONE)).containsExactly("GET " + POLICY);
    MissingPermission permission = new MissingPermission(Kind.POLICY, "patch", null);
    assertThat(requests().permission(COUNT)).contains(permission);
    assertThat(permission.advice()).contains("may not patch remediationpolicies/status");
  }

  @Test
  @DisplayName("an event is no write: nothing is sent or read for it, and it takes no right here")
  void event() {
    EmitEvent event = new EmitEvent("n1", false, "Enabled", "text");
    assertThatIllegalArgumentException().isThrownBy(() -> requests().begin(event));
    assertThatIllegalArgumentException().isThrownBy(() -> requests().read(event));
    assertThat(requests().permission(event)).isEmpty();
  }

  private static ActionRequests requests() {
    return new ActionRequests(
        "leases",
        name ->
            Optional.of(REBOOTS)
                .filter(kind -> kind.apiVersion().equals(name.apiVersion()))
                .filter(kind -> kind.kind().equals(name.kind())));
  }

  private List<String> play(RemediationAction action, ApiResult... answers) {
    return run(requests().begin(action), answers);
  }

  private List<String> run(ActionStep first, ApiResult... answers) {
    Iterator<ApiResult> next = Arrays.asList(answers).iterator();
    sent.clear();
    ActionStep step = first;
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

  static CreateRemediation create(String machineUid) {
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
