package io.probelet.cluster.care;

import static io.probelet.cluster.care.CareConditions.API_SERVER_AVAILABLE;
import static io.probelet.cluster.care.CareConditions.EVERY_NODE_READY;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.probelet.checks.error.ApiErrorText;
import io.probelet.cluster.care.ClusterHealthSpec.ComponentKind;
import io.probelet.cluster.care.ClusterHealthSpec.Components;
import io.probelet.cluster.care.ClusterHealthSpec.Contribution;
import io.probelet.cluster.care.ClusterHealthSpec.ExpressionCheck;
import io.probelet.cluster.care.ClusterHealthSpec.Gardener;
import io.probelet.document.selector.LabelSelector;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiServer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** One round of checks over the cluster. It reads everything once and writes nothing. */
final class CareRound {
  private static final ResourceDefinitionContext MANAGED_RESOURCES =
      new ResourceDefinitionContext.Builder()
          .withGroup("resources.gardener.cloud")
          .withVersion("v1alpha1")
          .withKind("ManagedResource")
          .withPlural("managedresources")
          .withNamespaced(true)
          .build();

  /** Objects of one expression in one round: evaluating them takes 0.2 s each at worst. */
  static final int MAX_EVALUATED = 1_000;

  private final KubernetesClient client;
  private final ClusterReader reader;
  private final ClusterObjects objects;
  private final NamedChecks checks;
  private final ClusterHealthSpec spec;
  private final TimeSource time;

  private final ReadOnce<WebhookConfigurations> webhooks;
  private final ReadOnce<CrdReview> crds;
  private final Map<String, ComponentReview> components = new LinkedHashMap<>();
  private final ContributionRound contributions;
  private final PreservedNodes preserved;

  CareRound(
      KubernetesClient client,
      ClusterObjects objects,
      NamedChecks checks,
      ClusterHealthSpec spec,
      TimeSource time) {
    this.client = client;
    this.objects = objects;
    this.reader = new ClusterReader(client, time.threads());
    this.checks = checks;
    this.spec = spec;
    this.time = time;
    this.preserved = new PreservedNodes(reader, objects);
    this.contributions = new ContributionRound(reader, time);
    this.webhooks = new ReadOnce<>(() -> WebhookConfigurations.read(reader));
    this.crds = new ReadOnce<>(() -> CrdReview.read(objects));
  }

  /** {@return all webhook configurations, as they are checked in this round} */
  ReadOnce<WebhookConfigurations> webhooks() {
    return webhooks;
  }

  /** {@return the findings; never throws because of a response of the API server} */
  CareStatus.Round run(long generation) {
    spec.components().forEach(this::reviewComponents);
    if (spec.gardener() != null) {
      reviewManagedResources(spec.gardener());
      if (spec.gardener().prometheusHealthChecks()) {
        reviewPrometheuses(spec.gardener());
      }
    }
    spec.contributions().forEach(this::readContribution);
    spec.expressions().forEach(this::reviewExpression);
    Map<String, ConditionFinding> findings = new LinkedHashMap<>();
    findings.put(API_SERVER_AVAILABLE, new ApiServerCheck(client, time).run());
    // CH-46: the cluster has no nodes by design
    if (!spec.absentConditions().contains(EVERY_NODE_READY)) {
      findings.put(EVERY_NODE_READY, nodes());
    }
    components.forEach((type, review) -> findings.put(type, review.finding()));
    contributions.byType().forEach((type, said) -> add(findings, type, said));
    spec.absentConditions().forEach(findings::remove);
    return new CareStatus.Round(
        generation, findings, new ConstraintRound(reader, webhooks, crds, spec, time).run());
  }

  private static void add(
      Map<String, ConditionFinding> findings, String type, ContributionReview contribution) {
    contribution
        .trouble()
        .ifPresentOrElse(
            trouble -> findings.put(type, trouble),
            () -> {
              if (contribution.isReported()) {
                findings.putIfAbsent(
                    type,
                    new ConditionFinding.Healthy(
                        "ReportsHealthy", "All reporting resources are healthy."));
              }
            });
  }

  private void reviewComponents(Components wanted) {
    ComponentReview review = review(wanted.conditionType());
    Set<String> missing = new HashSet<>(wanted.required());
    boolean complete = true;
    AtomicInteger found = new AtomicInteger();
    for (ComponentKind kind : wanted.kinds()) {
      complete &= reviewKind(kind, wanted, review, missing, found);
    }
    if (complete) { // an object that could not be listed is not reported as missing
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

  private boolean reviewKind(
      ComponentKind kind,
      Components wanted,
      ComponentReview review,
      Set<String> missing,
      AtomicInteger found) {
    Class<? extends HasMetadata> type =
        switch (kind) {
          case DEPLOYMENT -> Deployment.class;
          case DAEMON_SET -> DaemonSet.class;
          case STATEFUL_SET -> StatefulSet.class;
        };
    try {
      objects.each(
          type,
          wanted.namespaces(),
          wanted.labelSelector(),
          object -> {
            missing.remove(object.name());
            found.incrementAndGet();
            ObjectVerdict verdict =
                kind == ComponentKind.DAEMON_SET ? preserved.countedOut(object) : object;
            review.add(
                verdict,
                wanted.rolloutThreshold() == null
                    ? verdict.health()
                    : verdict.withRollout(wanted.rolloutThreshold()));
          });
      return true;
    } catch (KubernetesClientException e) {
      review.unreadable(unreadable(HasMetadata.getKind(type) + "s", e));
      return false;
    }
  }

  private void reviewManagedResources(Gardener gardener) {
    ManagedResourceHealth health =
        new ManagedResourceHealth(gardener.progressingThreshold(), time.wallTime());
    try {
      reader.each(
          MANAGED_RESOURCES,
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

  private void reviewPrometheuses(Gardener gardener) {
    PrometheusHealth health =
        new PrometheusHealth(
            ApiServer.of(client, PrometheusHealth.TIMEOUT, time.threads()), gardener.rule(), time);
    ComponentReview review = review(gardener.rule().observability());
    try {
      List<GenericKubernetesResource> found = new ArrayList<>();
      reader.each(
          PrometheusHealth.KIND,
          gardener.namespaces(),
          LabelSelector.EVERYTHING,
          each -> {
            if (health.selects(each)) {
              found.add(each);
            }
          });
      for (GenericKubernetesResource each : found) {
        review.add(each, health.check(each));
      }
    } catch (KubernetesClientException e) {
      review.unreadable(unreadable("Prometheus resources", e));
    } catch (InterruptedException ending) {
      Thread.currentThread().interrupt();
      review.unreadable("Prometheus was not queried: the check round was interrupted");
    }
  }

  private ComponentReview review(String conditionType) {
    return components.computeIfAbsent(conditionType, any -> new ComponentReview());
  }

  private void readContribution(Contribution contribution) {
    try {
      contributions.read(contribution);
    } catch (KubernetesClientException e) {
      for (String type : contribution.conditionTypes()) {
        review(type).unreadable(unreadable(contribution.kind() + " resources", e));
      }
    }
  }

  private void reviewExpression(ExpressionCheck wanted) {
    ComponentReview review = review(wanted.conditionType());
    ObjectExpression expression = new ObjectExpression(wanted.healthyWhen(), time.wallTime());
    AtomicInteger found = new AtomicInteger();
    try {
      reader.each(
          reader.kind(wanted.apiVersion(), wanted.kind()),
          wanted.namespaces(),
          wanted.labelSelector(),
          object -> {
            if (found.incrementAndGet() <= MAX_EVALUATED) {
              review.add(object, expression.check(object));
            }
          });
      if (found.get() > MAX_EVALUATED) {
        review.unreadable(
            "%,d %s resources are selected, but only the first %,d were checked"
                .formatted(found.get(), wanted.kind(), MAX_EVALUATED));
      }
    } catch (KubernetesClientException e) {
      review.unreadable(unreadable(wanted.kind() + " resources", e));
    }
  }

  private ConditionFinding nodes() {
    NodeReview review = new NodeReview(spec.minimumNodes());
    try {
      objects.each(Node.class, List.of(), LabelSelector.EVERYTHING, review::add);
    } catch (KubernetesClientException e) {
      return new ConditionFinding.Unknown(unreadable("nodes", e));
    }
    if (spec.gardener() != null) {
      reviewLeases(review);
    }
    return review.finding();
  }

  private void reviewLeases(NodeReview review) {
    NodeLeases leases = new NodeLeases(review.names(), time.wallTime());
    try {
      reader.each(
          Lease.class, List.of(NodeLeases.NAMESPACE), LabelSelector.EVERYTHING, leases::add);
      review.add(leases);
    } catch (KubernetesClientException e) {
      review.unreadableLeases(unreadable("node leases", e));
    }
  }

  static String unreadable(String what, KubernetesClientException e) {
    return what + " cannot be listed: " + ApiErrorText.of(e);
  }
}
