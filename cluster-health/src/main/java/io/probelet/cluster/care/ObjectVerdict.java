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
 * What rounds need of an object, found once when it is read; the object itself is not kept (CH-51).
 *
 * @param namespace its namespace; null if it is in none
 * @param rollout whether what was rolled out has arrived; healthy for kinds without rollouts
 * @param noted of a node, whether it failed and is preserved; of a CRD, whether what is stored of
 *     it needs a conversion webhook
 */
record ObjectVerdict(
    String kind,
    @Nullable String namespace,
    String name,
    CheckResult health,
    CheckResult rollout,
    boolean noted) {
  /** A message is whatever its author likes, and of thousands of objects they are kept. */
  static final int MAX_DETAIL = 1024;

  private static final CheckResult HEALTHY = CheckResult.healthy();

  /** How long a rollout may take is for those to say who ask. */
  private static final Rollout ROLLOUT = new Rollout(Duration.ZERO);

  ObjectVerdict {
    health = kept(health);
    rollout = kept(rollout);
  }

  /** Checks an object by the check for its kind. */
  static ObjectVerdict of(HasMetadata object) {
    return new ObjectVerdict(
        object.getKind(),
        object.getMetadata().getNamespace(),
        object.getMetadata().getName(),
        ObjectHealth.check(object),
        rollout(object),
        isNoted(object));
  }

  /** Nobody can say how an object is that is too large to be read. */
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
   * {@return what is to be said of it where rollouts are checked too}
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
