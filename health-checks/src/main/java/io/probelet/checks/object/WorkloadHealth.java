package io.probelet.checks.object;

import static io.probelet.checks.object.ConditionExpectation.ifPresent;
import static io.probelet.checks.object.ConditionExpectation.required;
import static io.probelet.checks.object.Findings.orZero;
import static io.probelet.checks.object.Findings.outdated;
import static io.probelet.checks.object.Findings.tooFewReady;
import static io.probelet.checks.object.Findings.unhealthyIf;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ReplicationController;
import io.fabric8.kubernetes.api.model.ReplicationControllerStatus;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.DaemonSetStatus;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentStatus;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.ReplicaSetStatus;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSetStatus;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.probelet.checks.result.CheckResult;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Whether what runs in the cluster runs as it is wanted. */
public final class WorkloadHealth {

  private static final List<ConditionExpectation> DEPLOYMENT =
      List.of(
          required("Available", "True"),
          ifPresent("Progressing", "True"),
          ifPresent("ReplicaFailure", "False"));
  private static final List<ConditionExpectation> JOB = List.of(ifPresent("Failed", "False"));
  private static final Set<String> GOOD_PHASES = Set.of("Running", "Succeeded");

  /** What the cluster gives as the reason when it puts a pod away. */
  private static final Set<String> PUT_AWAY =
      Set.of("Evicted", "NodeAffinity", "NodeLost", "Preempting");

  private WorkloadHealth() {}

  /**
   * Wants it available, its rollout not stuck, its replicas not refused (CH-11).
   *
   * @param deployment the Deployment
   * @return what is to be said of its health
   */
  public static CheckResult check(Deployment deployment) {
    DeploymentStatus status =
        deployment.getStatus() == null ? new DeploymentStatus() : deployment.getStatus();
    return unhealthyIf(
        outdated(status.getObservedGeneration(), deployment.getMetadata().getGeneration())
            .or(() ->
                ConditionExpectation.firstViolation(
                    DEPLOYMENT,
                    ObservedCondition.list(
                        status.getConditions(),
                        c ->
                            new ObservedCondition(
                                c.getType(), c.getStatus(), c.getReason(), c.getMessage())))));
  }

  /**
   * Wants a pod on every node that should have one, on no other, and available but for those a
   * rollout may take (CH-12).
   *
   * @param daemonSet the DaemonSet
   * @return what is to be said of its health
   */
  public static CheckResult check(DaemonSet daemonSet) {
    DaemonSetStatus status =
        daemonSet.getStatus() == null ? new DaemonSetStatus() : daemonSet.getStatus();
    return unhealthyIf(
        outdated(status.getObservedGeneration(), daemonSet.getMetadata().getGeneration())
            .or(() -> badlyScheduled(status))
            .or(() -> unavailable(daemonSet, status)));
  }

  /**
   * Wants all replicas ready, one where no number is given (CH-13).
   *
   * @param statefulSet the StatefulSet
   * @return what is to be said of its health
   */
  public static CheckResult check(StatefulSet statefulSet) {
    StatefulSetStatus status =
        statefulSet.getStatus() == null ? new StatefulSetStatus() : statefulSet.getStatus();
    return unhealthyIf(
        outdated(status.getObservedGeneration(), statefulSet.getMetadata().getGeneration())
            .or(() -> tooFewReady(status.getReadyReplicas(), wanted(statefulSet))));
  }

  /**
   * Wants all replicas ready that are asked for (CH-14).
   *
   * @param replicaSet the ReplicaSet
   * @return what is to be said of its health
   */
  public static CheckResult check(ReplicaSet replicaSet) {
    ReplicaSetStatus status =
        replicaSet.getStatus() == null ? new ReplicaSetStatus() : replicaSet.getStatus();
    int wanted = replicaSet.getSpec() == null ? 0 : orZero(replicaSet.getSpec().getReplicas());
    return unhealthyIf(
        outdated(status.getObservedGeneration(), replicaSet.getMetadata().getGeneration())
            .or(() -> tooFewReady(status.getReadyReplicas(), wanted)));
  }

  /**
   * Wants all replicas ready that are asked for, as of a ReplicaSet (CH-40).
   *
   * @param controller the ReplicationController
   * @return what is to be said of its health
   */
  public static CheckResult check(ReplicationController controller) {
    ReplicationControllerStatus status =
        controller.getStatus() == null ? new ReplicationControllerStatus() : controller.getStatus();
    int wanted = controller.getSpec() == null ? 0 : orZero(controller.getSpec().getReplicas());
    return unhealthyIf(
        outdated(status.getObservedGeneration(), controller.getMetadata().getGeneration())
            .or(() -> tooFewReady(status.getReadyReplicas(), wanted)));
  }

  /**
   * Wants it not to have failed (CH-15).
   *
   * @param job the Job
   * @return what is to be said of its health
   */
  public static CheckResult check(Job job) {
    return unhealthyIf(
        ConditionExpectation.firstViolation(
            JOB,
            ObservedCondition.list(
                job.getStatus() == null ? null : job.getStatus().getConditions(),
                c ->
                    new ObservedCondition(
                        c.getType(), c.getStatus(), c.getReason(), c.getMessage()))));
  }

  /**
   * Wants it running or done (CH-19); readiness is for what it belongs to. One that the cluster has
   * put away, and whose controller has made another in its place, is only left behind.
   *
   * @param pod the Pod
   * @return what is to be said of its health
   */
  public static CheckResult check(Pod pod) {
    String phase = pod.getStatus() == null ? null : pod.getStatus().getPhase();
    return (phase != null && GOOD_PHASES.contains(phase)) || isLeftBehind(pod)
        ? CheckResult.healthy()
        : CheckResult.unhealthy(
            "pod is in invalid phase \"%s\" (expected one of [\"Running\" \"Succeeded\"])"
                .formatted(phase == null ? "" : phase));
  }

  private static boolean isLeftBehind(Pod pod) {
    if (pod.getStatus() == null || !"Failed".equals(pod.getStatus().getPhase())) {
      return false;
    }
    String reason = pod.getStatus().getReason();
    boolean putAway =
        reason != null
            && (reason.startsWith("OutOf") || PUT_AWAY.stream().anyMatch(reason::contains));
    return putAway
        && pod.getMetadata().getOwnerReferences().stream()
            .anyMatch(owner -> Boolean.TRUE.equals(owner.getController()));
  }

  static int wanted(StatefulSet statefulSet) {
    Integer replicas = statefulSet.getSpec() == null ? null : statefulSet.getSpec().getReplicas();
    return replicas == null ? 1 : replicas;
  }

  private static Optional<String> badlyScheduled(DaemonSetStatus status) {
    int current = orZero(status.getCurrentNumberScheduled());
    int desired = orZero(status.getDesiredNumberScheduled());
    int misscheduled = orZero(status.getNumberMisscheduled());
    if (current < desired) {
      return Optional.of("not enough scheduled pods (" + current + "/" + desired + ")");
    }
    return misscheduled > 0
        ? Optional.of("misscheduled pods found (" + misscheduled + ")")
        : Optional.empty();
  }

  // CH-12: while a rollout goes on, as many may be away as it may take; after it, none.
  private static Optional<String> unavailable(DaemonSet daemonSet, DaemonSetStatus status) {
    int desired = orZero(status.getDesiredNumberScheduled());
    int unavailable = orZero(status.getNumberUnavailable());
    boolean rollingOut = orZero(status.getUpdatedNumberScheduled()) < desired;
    int allowed = rollingOut ? maxUnavailable(daemonSet, desired) : 0;
    if (unavailable <= allowed) {
      return Optional.empty();
    }
    String figures = unavailable + "/" + orZero(status.getCurrentNumberScheduled());
    return Optional.of(
        rollingOut
            ? "too many unavailable pods found (%s, only max. %d unavailable pods allowed)"
                .formatted(figures, allowed)
            : "too many unavailable pods found (" + figures + ")");
  }

  private static int maxUnavailable(DaemonSet daemonSet, int desired) {
    var strategy = daemonSet.getSpec() == null ? null : daemonSet.getSpec().getUpdateStrategy();
    if (strategy == null
        || !"RollingUpdate".equals(strategy.getType())
        || strategy.getRollingUpdate() == null) {
      return 0;
    }
    return resolve(strategy.getRollingUpdate().getMaxUnavailable(), desired);
  }

  private static int resolve(@Nullable IntOrString value, int desired) {
    if (value == null) {
      return 0;
    }
    if (value.getIntVal() != null) {
      return value.getIntVal();
    }
    String text = value.getStrVal();
    if (text == null || !text.matches("[0-9]{1,3}%")) {
      return 0;
    }
    return Integer.parseInt(text.substring(0, text.length() - 1)) * desired / 100;
  }
}
