package io.probelet.cluster.care;

import io.fabric8.kubernetes.api.model.APIService;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.checks.error.ApiErrorText;
import io.probelet.checks.result.CheckResult;
import io.probelet.document.selector.LabelSelector;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Checks that components can name (CH-25): those that are there, and those an author adds. */
public final class NamedChecks {

  /** {@code APIServices} and {@code CustomResourceDefinitions}: whether all of them are well. */
  public static final NamedChecks DEFAULTS =
      new NamedChecks(
          Map.of(
              "APIServices", (client, any) -> apiServices(new ClusterReader(client)),
              "CustomResourceDefinitions", (any, crds) -> crds.get().finding()));

  private final Map<String, Check> byName;

  /** May use what the round has read already; one that throws was not carried out. */
  @FunctionalInterface
  private interface Check {
    CheckResult run(KubernetesClient client, ReadOnce<CrdReview> crds);
  }

  private NamedChecks(Map<String, Check> byName) {
    this.byName = Map.copyOf(byName);
  }

  /**
   * {@return these checks and one more}
   *
   * @param check takes the client it reads with, and may block for as long as that waits; if it
   *     throws, it was not carried out
   */
  public NamedChecks and(String name, Function<KubernetesClient, CheckResult> check) {
    Map<String, Check> more = new HashMap<>(byName);
    more.put(name, (client, any) -> check.apply(client));
    return new NamedChecks(more);
  }

  CheckResult run(String name, KubernetesClient client, ReadOnce<CrdReview> crds) {
    Check check = byName.get(name);
    if (check == null) {
      return CheckResult.notExecuted(
          "no check has this name; known names: " + String.join(", ", names()));
    }
    try {
      return check.run(client, crds);
    } catch (RuntimeException | Error e) { // an author's check must not end the round, nor all
      return CheckResult.notExecuted(ApiErrorText.of(e));
    }
  }

  /** {@return the names of all checks there are, sorted} */
  public List<String> names() {
    return byName.keySet().stream().sorted().toList();
  }

  private static CheckResult apiServices(ClusterReader reader) {
    KindHealth all = new KindHealth();
    reader.each(
        APIService.class,
        List.of(),
        LabelSelector.EVERYTHING,
        object -> all.add(ObjectVerdict.of(object)));
    return all.result();
  }
}
