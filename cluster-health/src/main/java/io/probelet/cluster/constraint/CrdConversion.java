package io.probelet.cluster.constraint;

import static io.probelet.cluster.constraint.Constraint.CRDS_WITH_PROBLEMATIC_CONVERSION_WEBHOOKS;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.util.List;

/**
 * Whether no CRD has objects stored in several versions that only a webhook can convert (CH-36):
 * when the webhook is away, they can be neither read nor deleted.
 */
public final class CrdConversion {

  private CrdConversion() {}

  /**
   * {@return the constraint}
   *
   * @param crds all CustomResourceDefinitions of the cluster
   */
  public static Constraint evaluate(List<CustomResourceDefinition> crds) {
    List<String> problematic =
        crds.stream()
            .filter(CrdConversion::isProblematic)
            .map(crd -> crd.getMetadata().getName())
            .sorted()
            .toList();
    return problematic.isEmpty()
        ? Constraint.holds(
            CRDS_WITH_PROBLEMATIC_CONVERSION_WEBHOOKS,
            "NoCRDsWithProblematicConversionWebhooks",
            "No CRD needs a webhook to read what is stored.")
        : Constraint.broken(
            CRDS_WITH_PROBLEMATIC_CONVERSION_WEBHOOKS,
            CRDS_WITH_PROBLEMATIC_CONVERSION_WEBHOOKS,
            "CRDs with several stored versions and a conversion webhook: "
                + String.join(", ", problematic)
                + "; write all their objects once, then leave one entry in status.storedVersions");
  }

  private static boolean isProblematic(CustomResourceDefinition crd) {
    return crd.getStatus() != null
        && crd.getStatus().getStoredVersions().size() > 1
        && crd.getSpec() != null
        && crd.getSpec().getConversion() != null
        && "Webhook".equals(crd.getSpec().getConversion().getStrategy());
  }
}
