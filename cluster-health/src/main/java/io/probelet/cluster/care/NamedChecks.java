package io.probelet.cluster.care;

import io.fabric8.kubernetes.api.model.APIService;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.cluster.check.CheckResult;
import io.probelet.cluster.check.CheckResult.Unhealthy;
import io.probelet.cluster.object.ObjectHealth;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Checks that components can name (CH-25): those that are there, and those an author adds.
 *
 * @param byName each check takes the client it reads with; one that throws was not carried out
 */
public record NamedChecks(Map<String, Function<KubernetesClient, CheckResult>> byName) {

  /** {@code APIServices} and {@code CustomResourceDefinitions}: whether all of them are well. */
  public static final NamedChecks DEFAULTS =
      new NamedChecks(
          Map.of(
              "APIServices", client -> all(client, APIService.class),
              "CustomResourceDefinitions", client -> all(client, CustomResourceDefinition.class)));

  /** Copies the checks. */
  public NamedChecks {
    byName = Map.copyOf(byName);
  }

  /**
   * {@return these checks and one more}
   *
   * @param name how a resource names it
   * @param check what it does; may block for as long as its client waits
   */
  public NamedChecks and(String name, Function<KubernetesClient, CheckResult> check) {
    Map<String, Function<KubernetesClient, CheckResult>> more = new TreeMap<>(byName);
    more.put(name, check);
    return new NamedChecks(more);
  }

  CheckResult run(String name, KubernetesClient client) {
    Function<KubernetesClient, CheckResult> check = byName.get(name);
    if (check == null) {
      return CheckResult.notExecuted(
          "there is no check of that name; there are " + String.join(", ", names()));
    }
    try {
      return check.apply(client);
    } catch (RuntimeException e) { // an author's check must not end the round
      return CheckResult.notExecuted(String.valueOf(e.getMessage()));
    }
  }

  private List<String> names() {
    return byName.keySet().stream().sorted().toList();
  }

  private static <T extends HasMetadata> CheckResult all(KubernetesClient client, Class<T> kind) {
    List<String> wrong = new ArrayList<>();
    new ClusterReader(client)
        .each(
            kind,
            List.of(),
            null,
            object -> {
              if (ObjectHealth.check(object) instanceof Unhealthy(String detail, _)) {
                wrong.add(object.getMetadata().getName() + ": " + detail);
              }
            });
    return wrong.isEmpty()
        ? CheckResult.healthy()
        : CheckResult.unhealthy(String.join(", ", wrong));
  }
}
