package io.probelet.cli.realapi;

import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonDeletingOperation;

/** Budgets of pods with the label app=shop. */
final class Budgets {
  private Budgets() {}

  /** As its controller would say it, which need not be there. */
  static void put(RealApi api, KubernetesClient client, String namespace, int allowed) {
    PodDisruptionBudget budget =
        new PodDisruptionBudgetBuilder()
            .withNewMetadata()
            .withName("budget")
            .withNamespace(namespace)
            .endMetadata()
            .withNewSpec()
            .withNewMaxUnavailable(allowed)
            .withNewSelector()
            .addToMatchLabels("app", "shop")
            .endSelector()
            .endSpec()
            .build();
    PodDisruptionBudget created = client.resource(budget).createOr(NonDeletingOperation::update);
    if (api.isOurs()) {
      client
          .resource(created)
          .editStatus(now ->
              new PodDisruptionBudgetBuilder(now)
                  .withNewStatus()
                  .withObservedGeneration(now.getMetadata().getGeneration())
                  .withExpectedPods(1)
                  .withCurrentHealthy(1)
                  .withDesiredHealthy(1 - allowed)
                  .withDisruptionsAllowed(allowed)
                  .endStatus()
                  .build());
    }
  }
}
