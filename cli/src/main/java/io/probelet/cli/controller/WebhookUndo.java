package io.probelet.cli.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.probelet.cluster.webhook.Remediated;
import io.probelet.cluster.webhook.WebhookRemediation;
import java.io.PrintWriter;

/**
 * Reverts the changes of webhook remediation in the configurations of one name (CH-34), with the
 * user's own permissions.
 */
final class WebhookUndo {
  private static final int CONFLICT = 409;
  private static final int MAX_ATTEMPTS = 5;

  private final KubernetesClient client;
  private final boolean dryRun;
  private final PrintWriter out;

  /**
   * Creates it; no request is sent yet.
   *
   * @param client closed by its owner
   * @param dryRun whether to print the changes only
   */
  WebhookUndo(KubernetesClient client, boolean dryRun, PrintWriter out) {
    this.client = client;
    this.dryRun = dryRun;
    this.out = out;
  }

  /**
   * Reverts the changes in the configurations of a name, of both kinds.
   *
   * @return whether there is such a configuration
   * @throws IllegalArgumentException if the annotation that lists the changes is corrupt
   * @throws KubernetesClientException if the API server refuses or cannot be reached
   */
  boolean undo(String name) {
    var webhooks = client.admissionRegistration().v1();
    boolean validating =
        undo(
            "ValidatingWebhookConfiguration " + name,
            webhooks.validatingWebhookConfigurations().withName(name),
            found -> WebhookRemediation.undo(found));
    boolean mutating =
        undo(
            "MutatingWebhookConfiguration " + name,
            webhooks.mutatingWebhookConfigurations().withName(name),
            found -> WebhookRemediation.undo(found));
    return validating || mutating;
  }

  /** How one configuration is undone. */
  @FunctionalInterface
  private interface Undoing<T> {
    Remediated<T> of(T configuration);
  }

  private <T extends HasMetadata> boolean undo(
      String what, Resource<T> resource, Undoing<T> undoing) {
    for (int attempt = 1; ; attempt++) {
      T now = resource.get();
      if (now == null) {
        return false;
      }
      Remediated<T> undone = undone(what, now, undoing);
      if (undone.configuration().equals(now)) {
        out.println(what + ": unchanged, Probelet has not modified it");
        return true;
      }
      try {
        if (!dryRun) {
          // With the resourceVersion that was read: on a conflict it is read again.
          client.resource(undone.configuration()).update();
        }
        undone.changes().forEach(change -> out.println(what + ": " + change));
        out.println(what + (dryRun ? ": would be reverted" : ": reverted"));
        return true;
      } catch (KubernetesClientException refused) {
        if (refused.getCode() != CONFLICT || attempt == MAX_ATTEMPTS) {
          throw refused;
        }
      }
    }
  }

  private static <T> Remediated<T> undone(String what, T now, Undoing<T> undoing) {
    try {
      return undoing.of(now);
    } catch (IllegalArgumentException unreadable) {
      throw new IllegalArgumentException(what + ": " + unreadable.getMessage(), unreadable);
    }
  }
}
