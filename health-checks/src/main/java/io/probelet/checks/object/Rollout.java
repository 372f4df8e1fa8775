package io.probelet.checks.object;

import static io.probelet.checks.object.Findings.orZero;
import static io.probelet.checks.object.Findings.outdated;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentCondition;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.probelet.checks.result.CheckResult;
import java.time.Duration;
import java.util.Optional;

/**
 * Wants what was rolled out to have arrived everywhere (CH-24); asked for by adding it to a check:
 *
 * <pre>{@code
 * Rollout rollout = new Rollout(Duration.ofMinutes(10));
 * ObjectCheck<Deployment> check = WorkloadHealth::check;
 * check.and(rollout::check)
 * }</pre>
 *
 * @param threshold how long a rollout may take
 */
public record Rollout(Duration threshold) {

  /**
   * Wants its new replica set to be the available one.
   *
   * @param deployment the Deployment
   * @return Progressing or healthy
   */
  public CheckResult check(Deployment deployment) {
    var status = deployment.getStatus();
    return progressingIf(
        deployment,
        outdated(
                status == null ? null : status.getObservedGeneration(),
                deployment.getMetadata().getGeneration())
            .or(() -> notArrived(deployment)));
  }

  /**
   * Wants all replicas to be updated.
   *
   * @param statefulSet the StatefulSet
   * @return Progressing or healthy
   */
  public CheckResult check(StatefulSet statefulSet) {
    var status = statefulSet.getStatus();
    return progressingIf(
        statefulSet,
        outdated(
                status == null ? null : status.getObservedGeneration(),
                statefulSet.getMetadata().getGeneration())
            .or(() ->
                tooFewUpdated(
                    status == null ? 0 : orZero(status.getUpdatedReplicas()),
                    WorkloadHealth.wanted(statefulSet))));
  }

  /**
   * Wants its pod on every node to be updated.
   *
   * @param daemonSet the DaemonSet
   * @return Progressing or healthy
   */
  public CheckResult check(DaemonSet daemonSet) {
    var status = daemonSet.getStatus();
    return progressingIf(
        daemonSet,
        outdated(
                status == null ? null : status.getObservedGeneration(),
                daemonSet.getMetadata().getGeneration())
            .or(() ->
                status == null
                    ? Optional.empty()
                    : tooFewUpdated(
                        orZero(status.getUpdatedNumberScheduled()),
                        orZero(status.getDesiredNumberScheduled()))));
  }

  private CheckResult progressingIf(HasMetadata object, Optional<String> finding) {
    return finding
        .filter(any -> !HealthCheckOptOut.holdsFor(object)) // CH-42: nor is its rollout
        .map(detail -> CheckResult.progressing(detail, threshold))
        .orElseGet(CheckResult::healthy);
  }

  private static Optional<String> notArrived(Deployment deployment) {
    if (deployment.getStatus() != null) {
      for (DeploymentCondition condition : deployment.getStatus().getConditions()) {
        if ("Progressing".equals(condition.getType())) {
          boolean arrived =
              "True".equals(condition.getStatus())
                  && "NewReplicaSetAvailable".equals(condition.getReason());
          return arrived
              ? Optional.empty()
              : Optional.of(
                  condition.getMessage() == null
                      ? "rollout not finished: " + condition.getReason()
                      : condition.getMessage());
        }
      }
    }
    return Optional.of("condition \"Progressing\" is missing");
  }

  private static Optional<String> tooFewUpdated(int updated, int desired) {
    return updated < desired
        ? Optional.of(updated + " of " + desired + " replica(s) have been updated")
        : Optional.empty();
  }
}
