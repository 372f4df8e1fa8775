package io.probelet.nodehealth.remediation;

import static io.probelet.nodehealth.remediation.HealthCheckBuilder.check;
import static io.probelet.nodehealth.remediation.HealthCheckBuilder.template;
import static io.probelet.nodehealth.remediation.HealthCheckBuilder.twoOfOneKind;
import static io.probelet.nodehealth.resource.NodeHealthCheckStatus.StatusCondition.DISABLED;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.remediation.TemplateLookup.Forbidden;
import io.probelet.nodehealth.remediation.TemplateLookup.KindState;
import io.probelet.nodehealth.remediation.TemplateLookup.Missing;
import io.probelet.nodehealth.remediation.TemplateLookup.Template;
import io.probelet.nodehealth.remediation.TemplateRules.Flaw;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.RemediationStep;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.Phase;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.WireNames;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is found of templates, and what is wrong with them. */
class TemplateRulesTest {
  private static final ObjectRef REF = template("RebootRemediationTemplate", "reboot");
  private static final ObjectRef OTHER = template("RebootRemediationTemplate", "hard");
  private static final ObjectRef CLUSTER_WIDE =
      new ObjectRef("example.io/v1", "RebootRemediationTemplate", null, "reboot");
  private static final Template TEMPLATE = new Template(true, Scene.TEMPLATE_SPEC, false);
  private static final Template SEVERAL = new Template(true, Scene.TEMPLATE_SPEC, true);
  private static final KindState KNOWN = new KindState.Known(true);
  private static final KindState NOT_NAMESPACED = new KindState.Known(false);
  private static final KindState PENDING = new KindState.Pending();

  static Stream<Arguments> lookups() {
    KindState gone = new Missing("gone");
    KindState taboo = new Forbidden("taboo");
    KindState other = new Forbidden("other");
    return Stream.of(
        Arguments.of(REF, KNOWN, KNOWN, TEMPLATE, TEMPLATE),
        Arguments.of(REF, KNOWN, KNOWN, null, new Missing("not found")),
        Arguments.of(REF, PENDING, PENDING, TEMPLATE, TEMPLATE),
        Arguments.of(REF, gone, KNOWN, TEMPLATE, new Missing("gone")),
        Arguments.of(REF, KNOWN, gone, TEMPLATE, new Missing("gone")),
        Arguments.of(REF, taboo, gone, TEMPLATE, new Forbidden("taboo")),
        Arguments.of(REF, gone, taboo, TEMPLATE, new Forbidden("taboo")),
        Arguments.of(REF, taboo, other, TEMPLATE, new Forbidden("taboo")),
        Arguments.of(
            CLUSTER_WIDE,
            KNOWN,
            KNOWN,
            TEMPLATE,
            new Missing("its kind requires a namespace, but none is set")),
        Arguments.of(CLUSTER_WIDE, NOT_NAMESPACED, KNOWN, TEMPLATE, TEMPLATE),
        Arguments.of(CLUSTER_WIDE, PENDING, KNOWN, TEMPLATE, TEMPLATE));
  }

  @ParameterizedTest
  @MethodSource("lookups")
  @DisplayName("R-3, R-22 a template is of use if its kind and that of its remediations are")
  void lookup(
      ObjectRef ref,
      KindState templates,
      KindState remediations,
      Template object,
      TemplateLookup expected) {
    assertThat(TemplateLookup.of(ref, templates, remediations, Optional.ofNullable(object)))
        .isEqualTo(expected);
  }

  static Stream<Arguments> flaws() {
    ObjectRef metal3 = template("Metal3RemediationTemplate", "m");
    ObjectRef inPlace =
        new ObjectRef("example.io/v1", "Metal3RemediationTemplate", "openshift-machine-api", "m");
    return Stream.of(
        Arguments.of(REF, TEMPLATE, null),
        Arguments.of(
            REF,
            new Missing("gone"),
            new Flaw(
                "RemediationTemplateNotFound",
                "RebootRemediationTemplate remedies/reboot: gone",
                true)),
        Arguments.of(
            REF,
            new Forbidden("taboo"),
            new Flaw("RightsMissing", "RebootRemediationTemplate remedies/reboot: taboo", false)),
        Arguments.of(
            REF,
            new Template(false, null, false),
            new Flaw(
                "RemediationTemplateInvalid",
                "RebootRemediationTemplate remedies/reboot has no spec.template",
                false)),
        Arguments.of(
            metal3,
            TEMPLATE,
            new Flaw(
                "RemediationTemplateInvalid",
                "Metal3RemediationTemplate remedies/m must be in namespace openshift-machine-api,"
                    + " where its machines are",
                false)),
        Arguments.of(inPlace, TEMPLATE, null));
  }

  @ParameterizedTest
  @MethodSource("flaws")
  @DisplayName("R-3 what is wrong with a template, and whether to look again soon")
  void flaw(ObjectRef ref, TemplateLookup found, Flaw flaw) {
    assertThat(TemplateRules.firstFlaw(steps(ref), Map.of(ref, found)))
        .isEqualTo(Optional.ofNullable(flaw));
  }

  @Test
  @DisplayName("R-3 one that nobody looked for is missing")
  void notLookedFor() {
    assertThat(TemplateRules.firstFlaw(steps(REF), Map.of()))
        .contains(
            new Flaw(
                "RemediationTemplateNotFound",
                "RebootRemediationTemplate remedies/reboot: not found",
                true));
  }

  @Test
  @DisplayName("NHC-5 each of two templates of a kind needs the annotation; a missing one is first")
  void likeness() {
    Flaw flaw =
        new Flaw(
            "RemediationTemplateInvalid",
            "RebootRemediationTemplate remedies/hard: several templates of kind"
                + " RebootRemediationTemplate require the annotation "
                + "remediation.medik8s.io/multiple-templates-support",
            false);
    assertThat(TemplateRules.firstFlaw(steps(REF, OTHER), Map.of(REF, SEVERAL, OTHER, TEMPLATE)))
        .contains(flaw);
    assertThat(TemplateRules.firstFlaw(steps(REF, OTHER), Map.of(REF, SEVERAL, OTHER, SEVERAL)))
        .isEmpty();
    assertThat(
            TemplateRules.firstFlaw(steps(REF, OTHER), Map.of(REF, TEMPLATE))
                .orElseThrow()
                .reason())
        .isEqualTo("RemediationTemplateNotFound");
  }

  private static List<RemediationStep> steps(ObjectRef... templates) {
    return Stream.of(templates).map(ref -> new RemediationStep(ref, null)).toList();
  }

  @Test
  @DisplayName("NHC-15, R-3 a template goes: disabled, look again in 15 s; it is back: enabled")
  void templateGone() {
    Scene scene = Scene.of(check(), 3);
    scene.cluster.put(HealthCheckBuilder.REBOOT, new TemplateLookup.Missing("not found"));
    scene.ready("Unknown", "n1");
    assertThat(scene.status().phase()).isEqualTo(Phase.DISABLED);
    assertThat(scene.status().condition(DISABLED).orElseThrow().reason())
        .isEqualTo("RemediationTemplateNotFound");
    assertThat(scene.status().reason())
        .isEqualTo(
            "NHC is disabled: RemediationTemplateNotFound:"
                + " RebootRemediationTemplate remedies/reboot: not found");
    assertThat(scene.controller.nextWakeUp()).contains(Scene.START.plusSeconds(15));
    scene.minutes(6);
    assertThat(scene.hold("n1")).isInstanceOf(HoldReason.Disabled.class);

    scene.add(check());
    scene.minutes(1);
    assertThat(scene.status().condition(DISABLED).orElseThrow().reason())
        .isEqualTo("NodeHealthCheckEnabled");
    assertThat(scene.remediations()).containsExactly("RebootRemediation/n1");
    assertThat(scene.events()).containsSubsequence("Enabled", "Disabled", "Enabled");
    assertThat(scene.events()).containsOnlyOnce("Disabled");
  }

  @Test
  @DisplayName(
      "R-3 a template without spec.template, and Metal3 outside its namespace, are invalid")
  void templateInvalid() {
    Scene empty = Scene.of(check(), 3);
    empty.cluster.put(HealthCheckBuilder.REBOOT, new Template(false, null, false));
    empty.controller.settle();
    assertThat(empty.status().condition(DISABLED).orElseThrow().reason())
        .isEqualTo("RemediationTemplateInvalid");

    Scene metal3 = Scene.of(check().using(template("Metal3RemediationTemplate", "m")), 3);
    assertThat(metal3.status().condition(DISABLED).orElseThrow().reason())
        .isEqualTo("RemediationTemplateInvalid");
  }

  @Test
  @DisplayName("NHC-5, R-3 a template loses the annotation that two of a kind need, and regains it")
  void annotationLostAndRegained() {
    Scene scene = Scene.of(twoOfOneKind(), 3);
    scene.severalOfAKind(template("SameRemediationTemplate", "soft"));
    scene.severalOfAKind(template("SameRemediationTemplate", "hard"));
    scene.controller.settle();
    assertThat(scene.status().phase()).isEqualTo(Phase.ENABLED);

    scene.cluster.put(template("SameRemediationTemplate", "hard"), TEMPLATE);
    scene.controller.settle();
    assertThat(scene.status().phase()).isEqualTo(Phase.DISABLED);
    assertThat(scene.status().condition(DISABLED).orElseThrow().reason())
        .isEqualTo("RemediationTemplateInvalid");
    assertThat(scene.status().condition(DISABLED).orElseThrow().message())
        .contains("SameRemediationTemplate remedies/hard", WireNames.MULTIPLE_TEMPLATES);

    scene.severalOfAKind(template("SameRemediationTemplate", "hard"));
    scene.controller.settle();
    assertThat(scene.status().phase()).isEqualTo(Phase.ENABLED);
    scene.ready("Unknown", "n1");
    scene.minutes(8);
    assertThat(scene.remediations()).hasSize(2);
  }
}
