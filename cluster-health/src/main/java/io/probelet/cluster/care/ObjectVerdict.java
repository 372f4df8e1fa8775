package io.probelet.cluster.care;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.probelet.checks.object.ObjectHealth;
import io.probelet.checks.object.Rollout;
import io.probelet.checks.result.CheckResult;
import io.probelet.checks.result.CheckResult.Healthy;
import io.probelet.checks.result.CheckResult.NoOpinion;
import io.probelet.checks.result.CheckResult.NotExecuted;
import io.probelet.checks.result.CheckResult.Progressing;
import io.probelet.checks.result.CheckResult.Unhealthy;
import io.probelet.cluster.constraint.CrdConversion;
import io.probelet.health.ShortText;
import io.probelet.kube.object.BoundedObject.TooLarge;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The results for one object, computed when it is read; the object itself is not kept (CH-51).
 *
 * @param namespace its namespace; null if it is cluster-scoped
 * @param rollout whether the rollout is complete; healthy for kinds without rollouts
 * @param noted of a node: whether it failed and is preserved; of a CRD: whether its stored objects
 *     need a conversion webhook
 */
record ObjectVerdict(
    String kind,
    @Nullable String namespace,
    String name,
    CheckResult health,
    CheckResult rollout,
    boolean noted) {
  /** Anyone can write long messages, and those of thousands of objects are kept. */
  static final int MAX_DETAIL = 1024;

  private static final CheckResult HEALTHY = CheckResult.healthy();

  /** The caller decides how long a rollout may take. */
  private static final Rollout ROLLOUT = new Rollout(Duration.ZERO);

  ObjectVerdict {
    health = kept(health);
    rollout = kept(rollout);
  }

  /** Checks an object with the check for its kind. */
  static ObjectVerdict of(HasMetadata object) {
    return new ObjectVerdict(
        object.getKind(),
        object.getMetadata().getNamespace(),
        object.getMetadata().getName(),
        ObjectHealth.check(object),
        rollout(object),
        isNoted(object));
  }

  /** An object that is too large to be read is Unknown. */
  static ObjectVerdict tooLarge(String kind, TooLarge object) {
    JsonNode metadata = object.identity().path("metadata");
    String namespace = metadata.path("namespace").asText();
    CheckResult unknown = CheckResult.notExecuted("it has " + object.limit().text());
    return new ObjectVerdict(
        kind,
        namespace.isEmpty() ? null : namespace,
        metadata.path("name").asText(),
        unknown,
        unknown,
        false);
  }

  private static CheckResult rollout(HasMetadata object) {
    return switch (object) {
      case Deployment deployment -> ROLLOUT.check(deployment);
      case DaemonSet daemonSet -> ROLLOUT.check(daemonSet);
      case StatefulSet statefulSet -> ROLLOUT.check(statefulSet);
      default -> HEALTHY;
    };
  }

  private static boolean isNoted(HasMetadata object) {
    return switch (object) {
      case Node node -> PreservedNodes.isOne(node);
      case CustomResourceDefinition crd -> CrdConversion.isProblematic(crd);
      default -> false;
    };
  }

  /**
   * {@return the finding with rollouts included}
   *
   * @param threshold how long they may take
   */
  CheckResult withRollout(Duration threshold) {
    return health instanceof Healthy && rollout instanceof Progressing(String detail, var codes, _)
        ? new Progressing(detail, codes, threshold)
        : health;
  }

  private static CheckResult kept(CheckResult result) {
    return switch (result) {
      case Healthy() -> HEALTHY;
      case Unhealthy(String detail, var codes) -> new Unhealthy(cut(detail), codes);
      case Progressing(String detail, var codes, Duration threshold) ->
          new Progressing(cut(detail), codes, threshold);
      case NoOpinion(String detail) -> new NoOpinion(cut(detail));
      case NotExecuted(String detail) -> new NotExecuted(cut(detail));
    };
  }

  private static String cut(String detail) {
    return ShortText.of(detail, MAX_DETAIL);
  }
}
