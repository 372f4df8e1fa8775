package io.probelet.checks;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.probelet.checks.error.ApiErrorText;
import io.probelet.checks.object.ObjectCheck;
import io.probelet.checks.object.ObjectHealth;
import io.probelet.checks.result.CheckResult;
import io.probelet.checks.result.CheckResult.Progressing;
import io.probelet.checks.result.CheckResult.Unhealthy;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Checks another object in the same namespace. A missing object is unhealthy. If it cannot be read,
 * the condition is Unknown.
 *
 * @param <T> the kind of resource whose condition is fed
 * @param <D> the kind of object it depends on
 */
public final class ObjectInCluster<T extends HasMetadata, D extends HasMetadata>
    implements HealthCheck<T> {
  private final ObjectKind<D> kind;
  private final Function<T, String> name;

  /** Null for the built-in check, which reads the object untyped: its class may drop fields. */
  private final @Nullable ObjectCheck<? super D> check;

  private final Function<CheckRun<T>, KubernetesClient> client;

  private ObjectInCluster(
      ObjectKind<D> kind,
      Function<T, String> name,
      @Nullable ObjectCheck<? super D> check,
      Function<CheckRun<T>, KubernetesClient> client) {
    this.kind = kind;
    this.name = name;
    this.check = check;
    this.client = client;
  }

  /**
   * {@return a check of an object in the source cluster, by the built-in check for its kind}
   *
   * @param kind the object's kind
   * @param name how it is called, given the object whose condition is fed
   * @param <T> the kind of resource whose condition is fed
   * @param <D> the kind of object it depends on
   */
  public static <T extends HasMetadata, D extends HasMetadata> ObjectInCluster<T, D> named(
      Class<D> kind, Function<T, String> name) {
    return named(ObjectKind.of(kind), name);
  }

  /**
   * {@return a check of an object in the source cluster, by the built-in check for its kind}
   *
   * @param kind the object's kind, with or without a model class
   * @param name how it is called, given the object whose condition is fed
   * @param <T> the kind of resource whose condition is fed
   * @param <D> what the object it depends on is read as
   */
  public static <T extends HasMetadata, D extends HasMetadata> ObjectInCluster<T, D> named(
      ObjectKind<D> kind, Function<T, String> name) {
    return new ObjectInCluster<>(kind, name, null, CheckRun::source);
  }

  /** {@return the same check in the target cluster} */
  public ObjectInCluster<T, D> inTarget() {
    return new ObjectInCluster<>(kind, name, check, CheckRun::target);
  }

  /**
   * {@return the same check with different rules, for example rules that also require a finished
   * rollout}
   *
   * @param other the rules
   */
  public ObjectInCluster<T, D> by(ObjectCheck<? super D> other) {
    return new ObjectInCluster<>(kind, name, other, client);
  }

  @Override
  public CheckResult check(CheckRun<T> run) throws InterruptedException {
    String namespace = run.object().getMetadata().getNamespace();
    String which =
        "%s \"%s\" in namespace \"%s\"".formatted(kind.name(), name.apply(run.object()), namespace);
    Optional<CheckResult> found;
    try {
      found = result(run, namespace);
    } catch (KubernetesClientException e) {
      return CheckResult.notExecuted("failed to retrieve " + which + ": " + ApiErrorText.of(e));
    }
    if (found.isEmpty()) {
      return CheckResult.unhealthy(which + " not found");
    }
    return switch (found.get()) {
      case Unhealthy unhealthy ->
          new Unhealthy(which + " is unhealthy: " + unhealthy.detail(), unhealthy.codes());
      case Progressing progressing ->
          new Progressing(
              which + " is progressing: " + progressing.detail(),
              progressing.codes(),
              progressing.threshold());
      case CheckResult.NotExecuted(String detail) ->
          CheckResult.notExecuted(which + " could not be checked: " + detail);
      case CheckResult.NoOpinion(String detail) -> CheckResult.noOpinion(which + ": " + detail);
      case CheckResult.Healthy healthy -> healthy;
    };
  }

  private Optional<CheckResult> result(CheckRun<T> run, @Nullable String namespace)
      throws InterruptedException {
    String object = name.apply(run.object());
    return check == null
        ? run.find(client.apply(run), kind.untyped(), namespace, object).map(ObjectHealth::check)
        : run.find(client.apply(run), kind, namespace, object).map(check::check);
  }
}
