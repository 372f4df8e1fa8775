package io.probelet.cluster.care;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.probelet.cluster.care.ClusterHealthSpec.CaSecrets;
import io.probelet.cluster.constraint.CaValidity;
import io.probelet.cluster.constraint.Constraint;
import io.probelet.cluster.constraint.CrdConversion;
import io.probelet.cluster.constraint.WebhookConstraint;
import io.probelet.health.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The constraints at one moment (section 5 of the specification). */
final class ConstraintRound {
  private final ClusterReader reader;
  private final ClusterHealthSpec spec;
  private final TimeSource time;

  ConstraintRound(ClusterReader reader, ClusterHealthSpec spec, TimeSource time) {
    this.reader = reader;
    this.spec = spec;
    this.time = time;
  }

  List<Constraint> run() {
    return Stream.of(webhooks(), Stream.of(certificates(), conversions()))
        .flatMap(constraints -> constraints)
        .toList();
  }

  private Stream<Constraint> webhooks() {
    Stream<String> types =
        Stream.of(Constraint.HIBERNATION_POSSIBLE, Constraint.MAINTENANCE_PRECONDITIONS_SATISFIED);
    try {
      List<ValidatingWebhookConfiguration> validating = list(ValidatingWebhookConfiguration.class);
      List<MutatingWebhookConfiguration> mutating = list(MutatingWebhookConfiguration.class);
      WebhookConstraint webhooks = new WebhookConstraint(spec.webhookPolicy());
      return types.map(type -> webhooks.evaluate(type, validating, mutating));
    } catch (KubernetesClientException e) {
      String error = CareRound.unreadable("webhook configurations", e);
      return types.map(type -> Constraint.notChecked(type, error));
    }
  }

  private Constraint certificates() {
    List<Secret> watched = new ArrayList<>();
    try {
      for (CaSecrets wanted : spec.caSecrets()) {
        reader.each(
            Secret.class,
            wanted.namespaces(),
            wanted.labelSelector(),
            secret -> {
              if (wanted.includes(secret.getMetadata().getName())) {
                watched.add(secret);
              }
            });
      }
    } catch (KubernetesClientException e) {
      return Constraint.notChecked(
          Constraint.CA_CERTIFICATE_VALIDITIES_ACCEPTABLE, CareRound.unreadable("secrets", e));
    }
    return CaValidity.evaluate(watched, time.wallTime());
  }

  private Constraint conversions() {
    List<CustomResourceDefinition> severalVersions = new ArrayList<>();
    try {
      reader.each(
          CustomResourceDefinition.class,
          List.of(),
          null,
          crd -> {
            // The others are fine, and their schemas are what fills the memory.
            if (crd.getStatus() != null && crd.getStatus().getStoredVersions().size() > 1) {
              severalVersions.add(crd);
            }
          });
    } catch (KubernetesClientException e) {
      return Constraint.notChecked(
          Constraint.CRDS_WITH_PROBLEMATIC_CONVERSION_WEBHOOKS, CareRound.unreadable("CRDs", e));
    }
    return CrdConversion.evaluate(severalVersions);
  }

  private <T extends HasMetadata> List<T> list(Class<T> kind) {
    List<T> all = new ArrayList<>();
    reader.each(kind, List.of(), null, all::add);
    return all;
  }
}
