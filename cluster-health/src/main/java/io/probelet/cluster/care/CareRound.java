package io.probelet.cluster.care;

import static io.probelet.cluster.care.CareConditions.API_SERVER_AVAILABLE;
import static io.probelet.cluster.care.CareConditions.EVERY_NODE_READY;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.probelet.checks.error.ApiErrorText;
import io.probelet.checks.object.ObjectCheck;
import io.probelet.checks.object.ObjectHealth;
import io.probelet.checks.object.Rollout;
import io.probelet.cluster.care.ClusterHealthSpec.ComponentKind;
import io.probelet.cluster.care.ClusterHealthSpec.Components;
import io.probelet.cluster.care.ClusterHealthSpec.Contribution;
import io.probelet.cluster.care.ClusterHealthSpec.Gardener;
import io.probelet.document.selector.LabelSelector;
import io.probelet.health.TimeSource;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** One round through the cluster: everything is read once, and nothing is written. */
final class CareRound {
  private static final ResourceDefinitionContext MANAGED_RESOURCES =
      new ResourceDefinitionContext.Builder()
          .withGroup("resources.gardener.cloud")
          .withVersion("v1alpha1")
          .withKind("ManagedResource")
          .withPlural("managedresources")
          .withNamespaced(true)
          .build();

  private final KubernetesClient client;
  private final ClusterReader reader;
  private final NamedChecks checks;
  private final ClusterHealthSpec spec;
  private final TimeSource time;

  private final Once<WebhookConfigurations> webhooks;
  private final Once<CrdReview> crds;
  private final Map<String, ComponentReview> components = new LinkedHashMap<>();
  private final ContributionRound contributions;
  private final PreservedNodes preserved;

  CareRound(KubernetesClient client, NamedChecks checks, ClusterHealthSpec spec, TimeSource time) {
    this.client = client;
    this.reader = new ClusterReader(client);
    this.checks = checks;
    this.spec = spec;
    this.time = time;
    this.preserved = new PreservedNodes(reader);
    this.contributions = new ContributionRound(client, reader, time);
    this.webhooks = new Once<>(() -> WebhookConfigurations.read(reader));
    this.crds = new Once<>(() -> CrdReview.read(reader));
  }

  /** {@return all webhook configurations, as they are judged in this round} */
  Once<WebhookConfigurations> webhooks() {
    return webhooks;
  }

  /** {@return what was found; never throws because of what the API server answers} */
  CareStatus.Round run(long generation) {
    spec.components().forEach(this::look);
    if (spec.gardener() != null) {
      lookAtManagedResources(spec.gardener());
    }
    spec.contributions().forEach(this::listen);
    Map<String, Finding> findings = new LinkedHashMap<>();
    findings.put(API_SERVER_AVAILABLE, new ApiServerCheck(client, time).run());
    if (!spec.absentConditions().contains(EVERY_NODE_READY)) { // CH-46: it has no nodes by design
      findings.put(EVERY_NODE_READY, nodes());
    }
    components.forEach((type, review) -> findings.put(type, review.finding()));
    contributions.byType().forEach((type, said) -> add(findings, type, said));
    spec.absentConditions().forEach(findings::remove);
    return new CareStatus.Round(
        generation, findings, new ConstraintRound(reader, webhooks, crds, spec, time).run());
  }

  private static void add(
      Map<String, Finding> findings, String type, ContributionReview contribution) {
    contribution
        .trouble()
        .ifPresentOrElse(
            trouble -> findings.put(type, trouble),
            () -> {
              if (contribution.heard()) {
                findings.putIfAbsent(
                    type, new Finding.Well("ReportsHealthy", "All that report are healthy."));
              }
            });
  }

  private void look(Components wanted) {
    ComponentReview review = review(wanted.conditionType());
    Set<String> missing = new HashSet<>(wanted.required());
    boolean complete = true;
    AtomicInteger found = new AtomicInteger();
    for (ComponentKind kind : wanted.kinds()) {
      complete &= look(kind, wanted, review, missing, found);
    }
    if (complete) { // what could not be listed is not called missing
      String kinds =
          wanted.kinds().stream().map(Object::toString).collect(Collectors.joining(" or "));
      missing.stream().sorted().forEach(name -> review.missing(kinds, name));
      if (found.get() < wanted.minimum()) {
        review.tooFew(kinds, found.get(), wanted.minimum());
      }
    }
    for (String name : wanted.checks()) {
      review.add(name, checks.run(name, client, crds));
    }
  }

  private boolean look(
      ComponentKind kind,
      Components wanted,
      ComponentReview review,
      Set<String> missing,
      AtomicInteger found) {
    Rollout rollout =
        wanted.rolloutThreshold() == null ? null : new Rollout(wanted.rolloutThreshold());
    ObjectCheck<DaemonSet> daemonSets = preserved::judged;
    return switch (kind) {
      case DEPLOYMENT ->
          look(
              Deployment.class,
              wanted,
              review,
              missing,
              found,
              rollout == null ? ObjectHealth::check : judged(rollout::check));
      case DAEMON_SET ->
          look(
              DaemonSet.class,
              wanted,
              review,
              missing,
              found,
              rollout == null ? daemonSets : daemonSets.and(rollout::check));
      case STATEFUL_SET ->
          look(
              StatefulSet.class,
              wanted,
              review,
              missing,
              found,
              rollout == null ? ObjectHealth::check : judged(rollout::check));
    };
  }

  private static <T extends HasMetadata> ObjectCheck<T> judged(ObjectCheck<T> rollout) {
    ObjectCheck<T> healthy = ObjectHealth::check;
    return healthy.and(rollout);
  }

  private <T extends HasMetadata> boolean look(
      Class<T> kind,
      Components wanted,
      ComponentReview review,
      Set<String> missing,
      AtomicInteger found,
      ObjectCheck<T> check) {
    try {
      reader.each(
          kind,
          wanted.namespaces(),
          wanted.labelSelector(),
          object -> {
            missing.remove(object.getMetadata().getName());
            found.incrementAndGet();
            review.add(object, check.check(object));
          });
      return true;
    } catch (KubernetesClientException e) {
      review.unreadable(unreadable(HasMetadata.getKind(kind) + "s", e));
      return false;
    }
  }

  private void lookAtManagedResources(Gardener gardener) {
    ManagedResourceHealth health =
        new ManagedResourceHealth(gardener.progressingThreshold(), time.wallTime());
    try {
      reader.each(
          client.genericKubernetesResources(MANAGED_RESOURCES),
          gardener.namespaces(),
          LabelSelector.EVERYTHING,
          object ->
              gardener
                  .rule()
                  .conditionType(object)
                  .ifPresent(type -> review(type).add(object, health.check(object))));
    } catch (KubernetesClientException e) {
      gardener
          .rule()
          .conditionTypes()
          .forEach(type -> review(type).unreadable(unreadable("ManagedResources", e)));
    }
  }

  private ComponentReview review(String conditionType) {
    return components.computeIfAbsent(conditionType, any -> new ComponentReview());
  }

  private void listen(Contribution contribution) {
    try {
      contributions.listen(contribution);
    } catch (KubernetesClientException e) {
      for (String type : contribution.conditionTypes()) {
        review(type).unreadable(unreadable(contribution.kind() + " resources", e));
      }
    }
  }

  private Finding nodes() {
    NodeReview review = new NodeReview(spec.minimumNodes());
    try {
      reader.each(Node.class, List.of(), LabelSelector.EVERYTHING, review::add);
      return review.finding();
    } catch (KubernetesClientException e) {
      return new Finding.Unchecked(unreadable("nodes", e));
    }
  }

  static String unreadable(String what, KubernetesClientException e) {
    return what + " cannot be listed: " + ApiErrorText.of(e);
  }
}
