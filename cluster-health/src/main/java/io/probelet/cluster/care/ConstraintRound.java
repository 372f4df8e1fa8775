package io.probelet.cluster.care;

import io.fabric8.kubernetes.api.model.Secret;
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

/** The constraints in one round (section 5 of the rules). */
final class ConstraintRound {
  private final ClusterReader reader;
  private final ReadOnce<WebhookConfigurations> webhooks;
  private final ReadOnce<CrdReview> crds;
  private final ClusterHealthSpec spec;
  private final TimeSource time;

  ConstraintRound(
      ClusterReader reader,
      ReadOnce<WebhookConfigurations> webhooks,
      ReadOnce<CrdReview> crds,
      ClusterHealthSpec spec,
      TimeSource time) {
    this.reader = reader;
    this.webhooks = webhooks;
    this.crds = crds;
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
      WebhookConfigurations all = webhooks.get();
      WebhookConstraint constraint = new WebhookConstraint(spec.webhookPolicy());
      return types.map(type -> constraint.evaluate(type, all.validating(), all.mutating()));
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
    try {
      return CrdConversion.evaluate(crds.get().problematic());
    } catch (KubernetesClientException e) {
      return Constraint.notChecked(
          Constraint.CRDS_WITH_PROBLEMATIC_CONVERSION_WEBHOOKS, CareRound.unreadable("CRDs", e));
    }
  }
}
