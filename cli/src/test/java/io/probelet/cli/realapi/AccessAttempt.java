package io.probelet.cli.realapi;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.function.Consumer;

/**
 * A write that is tried under the admission policy.
 *
 * @param why part of the policy's message; empty if it is allowed
 */
record AccessAttempt(String what, String why, Consumer<KubernetesClient> write) {
  @Override
  public String toString() {
    return (why.isEmpty() ? "allowed: " : "refused: ") + what;
  }

  static AccessAttempt allowed(String what, Consumer<KubernetesClient> write) {
    return new AccessAttempt(what, "", write);
  }

  static AccessAttempt refused(String what, String why, Consumer<KubernetesClient> write) {
    return new AccessAttempt(what, why, write);
  }
}
