package io.probelet.cluster.constraint;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.probelet.checks.error.ErrorCode;
import io.probelet.cluster.webhook.WebhookAssessment;
import io.probelet.cluster.webhook.WebhookFinding;
import io.probelet.cluster.webhook.WebhookPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Checks whether a webhook can block the cluster (CH-30). */
public final class WebhookConstraint {

  private static final int MAX_NAMED = 5;

  private final WebhookPolicy policy;
  private final WebhookAssessment assessment;

  /** Creates the check. */
  public WebhookConstraint(WebhookPolicy policy) {
    this.policy = policy;
    assessment = new WebhookAssessment(policy);
  }

  /**
   * {@return the constraint of that type; both types for webhooks have the same result}
   *
   * @param type {@link Constraint#HIBERNATION_POSSIBLE} or {@link
   *     Constraint#MAINTENANCE_PRECONDITIONS_SATISFIED}
   * @param validating all ValidatingWebhookConfigurations of the cluster
   * @param mutating all MutatingWebhookConfigurations of the cluster
   */
  public Constraint evaluate(
      String type,
      List<ValidatingWebhookConfiguration> validating,
      List<MutatingWebhookConfiguration> mutating) {
    List<String> problematic = new ArrayList<>();
    List<String> remedied = new ArrayList<>();
    for (ValidatingWebhookConfiguration configuration : validating) {
      add(configuration, assessment.assess(configuration), problematic, remedied);
    }
    for (MutatingWebhookConfiguration configuration : mutating) {
      add(configuration, assessment.assess(configuration), problematic, remedied);
    }
    if (!problematic.isEmpty()) {
      // CH-30: the source of a remediated webhook still needs a correction; it is named after the
      // others.
      return broken(
          type,
          "ProblematicWebhooks",
          Stream.concat(problematic.stream(), remedied.stream()).toList());
    }
    if (!remedied.isEmpty()) {
      return broken(type, "RemediatedWebhooks", remedied);
    }
    return Constraint.holds(type, "NoProblematicWebhooks", "All webhooks are properly configured.");
  }

  private void add(
      HasMetadata configuration,
      List<WebhookFinding> findings,
      List<String> problematic,
      List<String> remedied) {
    String name = configuration.getKind() + " \"" + configuration.getMetadata().getName() + "\"";
    findings.forEach(finding -> problematic.add(name + " is problematic: " + finding.advice()));
    if (policy.isRemediated(configuration)) {
      remedied.add(
          name
              + " was problematic and has been fixed; correct its source, then"
              + " remove the annotation that lists the changes");
    }
  }

  private static Constraint broken(String type, String reason, List<String> findings) {
    String named = String.join("; ", findings.subList(0, Math.min(MAX_NAMED, findings.size())));
    int more = findings.size() - MAX_NAMED;
    return Constraint.broken(
        type,
        reason,
        more > 0 ? named + "; and " + more + " more" : named,
        ErrorCode.ERR_PROBLEMATIC_WEBHOOK);
  }
}
