package io.probelet.nodehealth.remediation;

import static io.probelet.nodehealth.remediation.HealthCheckBuilder.REBOOT;
import static io.probelet.nodehealth.remediation.HealthCheckBuilder.check;
import static io.probelet.nodehealth.remediation.HealthCheckBuilder.template;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.remediation.NodeFacts.Machine;
import io.probelet.nodehealth.remediation.ObservedRemediation.Success;
import io.probelet.nodehealth.remediation.RemediationAction.ClearConfirmation;
import io.probelet.nodehealth.remediation.RemediationAction.FlagOld;
import io.probelet.nodehealth.remediation.RemediationAction.MarkHealthyDelay;
import io.probelet.nodehealth.remediation.RemediationAction.MarkTimedOut;
import io.probelet.nodehealth.remediation.RemediationDraft.OwnerRef;
import io.probelet.nodehealth.remediation.TemplateLookup.Template;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.RemediationStep;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is made, and to whom what exists belongs. */
class RemediationResourcesTest {
  private static final NodeHealthCheck CHECK = check().build();
  private static final RemediationStep STEP = new RemediationStep(REBOOT, null);
  private static final Template TEMPLATE = new Template(true, Scene.TEMPLATE_SPEC, false);
  private static final String KIND = "RebootRemediation";

  private static ObservedRemediation remediation(ObjectRef ref, Map<String, String> annotations) {
    return new ObservedRemediation(
        ref, "uid", Scene.START, false, Map.of(), annotations, List.of(), Success.UNKNOWN, false);
  }

  private static ObjectRef ref(String name) {
    return new ObjectRef("example.io/v1", KIND, "remedies", name);
  }

  @ParameterizedTest
  @CsvSource({
    "example.io/v1, RebootRemediation, n1,     ,       , true,  n1",
    "example.io/v1, RebootRemediation, n2,     ,       , false, n2",
    "example.io/v1, RebootRemediation, n2,     , n1    , false, n1",
    "example.io/v1, RebootRemediation, x , reboot, n1  , true,  n1",
    "example.io/v1, RebootRemediation, n1, reboot, n2  , false, n2",
    "example.io/v1, RebootRemediation, n1, reboot,     , false, n1",
    "example.io/v1, RebootRemediation, n1, other , n1  , false, n1",
    "example.io/v2, RebootRemediation, n1,     ,       , false, n1",
    "example.io/v1, OtherRemediation,  n1,     ,       , false, n1",
  })
  @DisplayName("R-16 a remediation belongs to node and template by its annotations or its name")
  void belongsTo(
      String apiVersion,
      String kind,
      String name,
      String template,
      String node,
      boolean belongs,
      String forNode) {
    Map<String, String> annotations = new HashMap<>();
    if (template != null) {
      annotations.put(WireNames.TEMPLATE_NAME, template);
    }
    if (node != null) {
      annotations.put(WireNames.NODE_NAME, node);
    }
    ObservedRemediation remediation =
        remediation(new ObjectRef(apiVersion, kind, "remedies", name), annotations);
    assertThat(remediation.belongsTo("n1", STEP)).isEqualTo(belongs);
    assertThat(remediation.nodeName()).isEqualTo(forNode);
  }

  @ParameterizedTest
  @CsvSource({
    "remediation.medik8s.io/v1alpha1, NodeHealthCheck, nhc, true",
    "remediation.medik8s.io/v1,       NodeHealthCheck, nhc, false",
    "remediation.medik8s.io/v1alpha1, Node,            nhc, false",
    "remediation.medik8s.io/v1alpha1, NodeHealthCheck, x,   false",
  })
  @DisplayName("R-16 it is ours by group, kind and name of an owner, whatever its identifier")
  void owned(String apiVersion, String kind, String name, boolean owned) {
    ObservedRemediation remediation =
        new ObservedRemediation(
            ref("n1"),
            "uid",
            Scene.START,
            false,
            Map.of(),
            Map.of(),
            List.of(
                new OwnerRef("v1", "Pod", "p", "p-uid"),
                new OwnerRef(apiVersion, kind, name, "restored")),
            Success.UNKNOWN,
            false);
    assertThat(remediation.isOwnedBy(CHECK)).isEqualTo(owned);
  }

  @ParameterizedTest
  @CsvSource({
    "remedies,  n1, RebootRemediation, true",
    "elsewhere, n1, RebootRemediation, false",
    "remedies,  n2, RebootRemediation, false",
    "remedies,  n1, OtherRemediation,  false",
  })
  @DisplayName("R-16 one of another template is in the way if it has namespace and name of ours")
  void blocked(String namespace, String name, String kind, boolean blocked) {
    RemediationDraft draft = RemediationDraft.of(CHECK, Scene.node("n1"), STEP, TEMPLATE);
    ObservedRemediation other =
        remediation(
            new ObjectRef("example.io/v1", kind, namespace, name),
            Map.of(WireNames.NODE_NAME, "n1", WireNames.TEMPLATE_NAME, "other"));
    assertThat(draft.isBlockedBy(other, "n1", STEP)).isEqualTo(blocked);
    assertThat(draft.isBlockedBy(remediation(ref("n1"), Map.of()), "n1", STEP)).isTrue();
  }

  @Test
  @DisplayName("R-15 a machine whose identifier is unknown is completed, or owns nothing")
  void machine() {
    ObjectRef machine = new ObjectRef("machine.openshift.io/v1beta1", "Machine", "remedies", "m1");
    NodeFacts plain = Scene.node("n1");
    NodeFacts node =
        new NodeFacts(
            "n1",
            "n1-uid",
            Scene.START,
            Map.of(WireNames.MASTER, ""),
            List.of(),
            false,
            new Machine(machine, ""));
    RemediationDraft draft = RemediationDraft.of(CHECK, node, STEP, TEMPLATE);
    OwnerRef unknown = new OwnerRef("machine.openshift.io/v1beta1", "Machine", "m1", "");
    assertThat(draft.ownerWithoutUid()).contains(unknown);
    assertThat(draft.ref()).isEqualTo(ref("n1"));
    assertThat(draft.isForControlPlane()).isTrue();

    RemediationDraft complete = draft.withOwnerUid(unknown, "m1-uid");
    assertThat(complete.ownerWithoutUid()).isEmpty();
    assertThat(complete.owners())
        .containsExactly(
            OwnerRef.of(CHECK),
            new OwnerRef("machine.openshift.io/v1beta1", "Machine", "m1", "m1-uid"));
    assertThat(complete.withOwnerUid(complete.owners().getLast(), null).owners())
        .containsExactly(OwnerRef.of(CHECK));
    assertThat(draft.withOwnerUid(unknown, null))
        .isEqualTo(
            new RemediationDraft(
                "example.io/v1",
                KIND,
                "remedies",
                "n1",
                null,
                draft.labels(),
                draft.annotations(),
                List.of(OwnerRef.of(CHECK)),
                Scene.TEMPLATE_SPEC));
    assertThat(RemediationDraft.of(CHECK, plain, STEP, TEMPLATE).isForControlPlane()).isFalse();
  }

  @Test
  @DisplayName("R-15 a template without a namespace: no machine owns what is made from it")
  void clusterWide() {
    ObjectRef machine = new ObjectRef("machine.openshift.io/v1beta1", "Machine", "remedies", "m1");
    NodeFacts node =
        new NodeFacts(
            "n1", "n1-uid", Scene.START, Map.of(), List.of(), false, new Machine(machine, "m"));
    RemediationStep step =
        new RemediationStep(
            new ObjectRef("example.io/v1", "RebootRemediationTemplate", null, "reboot"), null);
    assertThat(RemediationDraft.of(CHECK, node, step, TEMPLATE).owners()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "2026-01-01T00:00:00Z, 2026-01-01T00:00:00Z",
    "2026-01-01T02:00:00+02:00, 2026-01-01T00:00:00Z",
    "yesterday, ",
    ", ",
  })
  @DisplayName("R-8, R-18 what an annotation says is a moment, or nothing")
  void moment(String text, Instant moment) {
    Map<String, String> annotations = text == null ? Map.of() : Map.of("a", text);
    ObservedRemediation remediation = remediation(ref("n1"), annotations);
    assertThat(remediation.moment("a").orElse(null)).isEqualTo(moment);
  }

  @Test
  @DisplayName("a copy differs in what was asked for alone")
  void copies() {
    ObservedRemediation one = remediation(ref("n1"), Map.of("a", "1"));
    assertThat(one.asDeleting().deleting()).isTrue();
    assertThat(one.withAnnotation("b", "2"))
        .isEqualTo(remediation(ref("n1"), Map.of("a", "1", "b", "2")));
    assertThat(one.withSucceeded(Success.NO).succeeded()).isEqualTo(Success.NO);
    assertThat(one.withSucceeded(Success.NO).withSucceeded(Success.UNKNOWN)).isEqualTo(one);
    assertThat(one.isForControlPlane()).isFalse();
  }

  @Test
  @DisplayName("R-8, R-18, R-19 the annotations and their values")
  void annotations() {
    ObservedRemediation one = remediation(ref("n1"), Map.of());
    MarkTimedOut timedOut = new MarkTimedOut("n1", one, Scene.START);
    assertThat(timedOut.annotation()).isEqualTo("remediation.medik8s.io/nhc-timed-out");
    assertThat(timedOut.value()).isEqualTo("2026-01-01T00:00:00Z");
    MarkHealthyDelay delay = new MarkHealthyDelay("n1", one, Scene.START);
    assertThat(delay.annotation()).isEqualTo("remediation.medik8s.io/healthy-delay");
    assertThat(delay.value()).isEqualTo("2026-01-01T00:00:00Z");
    FlagOld old = new FlagOld("n1", one);
    assertThat(old.annotation()).isEqualTo("nodehealthcheck.medik8s.io/old-remediation-cr-flag");
    assertThat(old.value()).isEqualTo("flagon");
    assertThat(new ClearConfirmation("n1").annotation())
        .isEqualTo("remediation.medik8s.io/manually-confirmed-healthy");
  }
}
