package io.probelet.nodehealth.remediation;

import io.probelet.nodehealth.remediation.TemplateLookup.Found;
import io.probelet.nodehealth.remediation.TemplateLookup.Missing;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.RemediationStep;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Whether all templates can be used. */
final class TemplateRules {
  private static final String INVALID = "RemediationTemplateInvalid";
  private static final String MACHINES = "openshift-machine-api";

  private TemplateRules() {}

  /**
   * Why templates cannot be used.
   *
   * @param reason the Disabled condition's reason
   * @param message its message
   * @param lookAgain whether it pays to look again soon
   */
  record Flaw(String reason, String message, boolean lookAgain) {}

  static Optional<Flaw> firstFlaw(
      List<RemediationStep> steps, Map<ObjectRef, TemplateLookup> templates) {
    return steps.stream().flatMap(step -> flaw(step.template(), templates).stream()).findFirst();
  }

  private static Optional<Flaw> flaw(ObjectRef ref, Map<ObjectRef, TemplateLookup> templates) {
    return switch (templates.getOrDefault(ref, new Missing("no such object"))) {
      case Missing(String why) ->
          Optional.of(new Flaw("RemediationTemplateNotFound", ref + ": " + why, true));
      case Found(Template template) when !template.complete() ->
          Optional.of(new Flaw(INVALID, ref + " has no spec.template", false));
      case Found _
          when ref.kind().equals("Metal3RemediationTemplate")
              && !MACHINES.equals(ref.namespace()) ->
          Optional.of(
              new Flaw(
                  INVALID,
                  ref + " must be in namespace " + MACHINES + ", where its machines are",
                  false));
      case Found _ -> Optional.empty();
    };
  }
}
