package io.probelet.agent.realapi;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.function.Consumer;

/**
 * A write that is tried under the admission policy.
 *
 * @param what for people
 * @param why part of the policy's message; empty if it is allowed
 * @param write makes it
 */
record Attempt(String what, String why, Consumer<KubernetesClient> write) {
  @Override
  public String toString() {
    return (why.isEmpty() ? "allowed: " : "refused: ") + what;
  }

  static Attempt allowed(String what, Consumer<KubernetesClient> write) {
    return new Attempt(what, "", write);
  }

  static Attempt refused(String what, String why, Consumer<KubernetesClient> write) {
    return new Attempt(what, why, write);
  }
}
