package io.probelet.cluster.care;

import io.fabric8.kubernetes.api.model.APIService;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.checks.error.ApiErrorText;
import io.probelet.checks.result.CheckResult;
import io.probelet.document.selector.LabelSelector;
import io.probelet.health.Threads;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Checks that components can name (CH-25): the built-in ones and those that an author adds. */
public final class NamedChecks {

  /** {@code APIServices} and {@code CustomResourceDefinitions}: whether all of them are healthy. */
  public static final NamedChecks DEFAULTS =
      new NamedChecks(
          Map.of(
              "APIServices",
                  (client, any) -> apiServices(new ClusterReader(client, Threads.MACHINE)),
              "CustomResourceDefinitions", (any, crds) -> crds.get().finding()));

  private final Map<String, Check> byName;

  /** May use data that the round has already read. If it throws, it could not run. */
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
   * @param check receives the client and may block while it reads; if it throws, it could not run
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
    } catch (RuntimeException | Error e) { // an author's check must not end the round
      return CheckResult.notExecuted(ApiErrorText.of(e));
    }
  }

  /** {@return the names of all checks, sorted} */
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
