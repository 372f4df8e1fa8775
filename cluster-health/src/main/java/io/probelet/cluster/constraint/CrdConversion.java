package io.probelet.cluster.constraint;

import static io.probelet.cluster.constraint.Constraint.CRDS_WITH_PROBLEMATIC_CONVERSION_WEBHOOKS;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Checks whether a CRD has objects stored in several versions that only a webhook can convert
 * (CH-36). While the webhook is down such objects can be neither read nor deleted.
 */
public final class CrdConversion {

  private CrdConversion() {}

  /**
   * {@return the constraint}
   *
   * @param problematic names of the CustomResourceDefinitions that are {@linkplain #isProblematic
   *     problematic}
   */
  public static Constraint evaluate(List<String> problematic) {
    return problematic.isEmpty()
        ? Constraint.holds(
            CRDS_WITH_PROBLEMATIC_CONVERSION_WEBHOOKS,
            "NoCRDsWithProblematicConversionWebhooks",
            "No CRD needs a conversion webhook to read stored objects.")
        : Constraint.broken(
            CRDS_WITH_PROBLEMATIC_CONVERSION_WEBHOOKS,
            CRDS_WITH_PROBLEMATIC_CONVERSION_WEBHOOKS,
            "CRDs with several stored versions and a conversion webhook: "
                + problematic.stream().sorted().collect(Collectors.joining(", "))
                + "; write all their objects once, then leave one entry in status.storedVersions");
  }

  /** {@return whether objects are stored in several versions that only a webhook can convert} */
  public static boolean isProblematic(CustomResourceDefinition crd) {
    return crd.getStatus() != null
        && crd.getStatus().getStoredVersions().size() > 1
        && crd.getSpec() != null
        && crd.getSpec().getConversion() != null
        && "Webhook".equals(crd.getSpec().getConversion().getStrategy());
  }
}
