package io.probelet.nodehealth.remediation;

import io.probelet.nodehealth.remediation.TemplateLookup.Forbidden;
import io.probelet.nodehealth.remediation.TemplateLookup.Missing;
import io.probelet.nodehealth.remediation.TemplateLookup.Template;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.RemediationStep;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.WireNames;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Whether all templates can be used. */
final class TemplateRules {
  private static final String INVALID = "RemediationTemplateInvalid";
  private static final String MACHINES = "openshift-machine-api";

  private TemplateRules() {}

  /**
   * Why templates cannot be used.
   *
   * @param retry whether to plan again soon
   */
  record Flaw(String reason, String message, boolean retry) {}

  static Optional<Flaw> firstFlaw(
      List<RemediationStep> steps, Map<ObjectRef, TemplateLookup> templates) {
    return Stream.concat(
            steps.stream().flatMap(step -> flaw(step.template(), templates).stream()),
            steps.stream().flatMap(step -> likeness(step, steps, templates).stream()))
        .findFirst();
  }

  /** NHC-5: their remediations for one node would have the same name. */
  private static Optional<Flaw> likeness(
      RemediationStep step, List<RemediationStep> steps, Map<ObjectRef, TemplateLookup> templates) {
    ObjectRef ref = step.template();
    boolean alone =
        steps.stream().filter(other -> other.template().kind().equals(ref.kind())).count() < 2;
    boolean supported =
        templates.get(ref) instanceof Template template && template.severalOfItsKind();
    return alone || supported
        ? Optional.empty()
        : Optional.of(
            new Flaw(
                INVALID,
                "%s: several templates of kind %s require the annotation %s"
                    .formatted(ref, ref.kind(), WireNames.MULTIPLE_TEMPLATES),
                false));
  }

  private static Optional<Flaw> flaw(ObjectRef ref, Map<ObjectRef, TemplateLookup> templates) {
    return switch (templates.getOrDefault(ref, new Missing("not found"))) {
      case Missing(String why) ->
          Optional.of(new Flaw("RemediationTemplateNotFound", ref + ": " + why, true));
      case Forbidden(String why) ->
          Optional.of(
              new Flaw(
                  "RightsMissing",
                  ref + ": " + why,
                  false)); // a watch notices when the permission is granted
      case Template template when !template.complete() ->
          Optional.of(new Flaw(INVALID, ref + " has no spec.template", false));
      case Template _
          when ref.kind().equals("Metal3RemediationTemplate")
              && !MACHINES.equals(ref.namespace()) ->
          Optional.of(
              new Flaw(
                  INVALID,
                  ref + " must be in namespace " + MACHINES + ", where its machines are",
                  false));
      case Template _ -> Optional.empty();
    };
  }
}
