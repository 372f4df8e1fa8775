package io.probelet.remediator.decide;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import io.probelet.nodehealth.resource.ObjectRef;
import java.time.Duration;
import java.util.Optional;

/**
 * One change that a step requests. Each names the expected uid or version of the object, so that a
 * late or repeated request is harmless.
 */
public sealed interface Action {
  /** Adds the finalizer that keeps the remediation until its changes are undone. */
  record AddFinalizer() implements Action {}

  /** Removes the finalizer. */
  record RemoveFinalizer() implements Action {}

  /**
   * Cordons the node and marks it as cordoned by this remediation.
   *
   * @param node as it was read; a later version is refused
   */
  record Cordon(ObservedNode node) implements Action {
    /** Annotation of a node: the uid of the remediation that cordoned it. */
    public static final String MARK = "probelet.io/cordoned-by";
  }

  /**
   * Uncordons the node and removes the mark.
   *
   * @param node as it was read; a later version is refused
   */
  record Uncordon(ObservedNode node) implements Action {}

  /**
   * Leaves the node cordoned: replaces the mark by the reason.
   *
   * @param node as it was read; a later version is refused
   * @param reason for people, in one line
   */
  record KeepCordoned(ObservedNode node, String reason) implements Action {
    /** Annotation of a node: why no remediation uncordons it. */
    public static final String WHY = "probelet.io/kept-cordoned";
  }

  /**
   * Evicts a pod. A PodDisruptionBudget may refuse the eviction.
   *
   * @param gracePeriod time to terminate; empty for the pod's own grace period
   */
  record Evict(PodKey pod, Optional<Duration> gracePeriod) implements Action {}

  /** Deletes a pod immediately, ignoring budgets and grace period. */
  record DeletePod(PodKey pod) implements Action {}

  /**
   * Adds a taint to the node, in place of one of its key and effect.
   *
   * @param node as it was read; a later version is refused
   */
  record SetTaint(ObservedNode node, NodeTaint taint) implements Action {}

  /**
   * Removes the taint with this key, value and effect.
   *
   * @param node as it was read; a later version is refused
   */
  record RemoveTaint(ObservedNode node, NodeTaint taint) implements Action {}

  /**
   * Creates the order to the node's agent. Refused while another order exists.
   *
   * @param spec what is ordered; the remediation is added to it
   */
  record PutOrder(String node, JsonNode spec) implements Action {}

  /**
   * Grants the order that the node's agent has claimed.
   *
   * @param resourceVersion the version in which it was claimed; a later one is refused
   */
  record GrantOrder(String node, String uid, String resourceVersion) implements Action {}

  /** Deletes an order. An order that is already deleted is not an error. */
  record WithdrawOrder(String node, String uid) implements Action {}

  /**
   * Adds an annotation to an object of another controller.
   *
   * @param uid its unique identifier; another object of its name is refused
   * @param resourceVersion the version that was read, without the annotation; a later one is
   *     refused, as another controller may have set it meanwhile
   */
  record Annotate(String path, String uid, String resourceVersion, String annotation, String value)
      implements Action {}

  /**
   * Removes an annotation from an object of another controller, if its value is still ours.
   *
   * @param uid its unique identifier; another object of its name is refused
   * @param value the value that it was given; any other is refused
   */
  record RemoveAnnotation(String path, String uid, String annotation, String value)
      implements Action {}

  /**
   * Creates an object in the remediation's namespace. An object that already exists is not an
   * error.
   */
  record Create(ObjectRef ref, String path, JsonNode object) implements Action {}
}
