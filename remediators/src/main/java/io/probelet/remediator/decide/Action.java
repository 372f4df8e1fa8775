package io.probelet.remediator.decide;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.nodehealth.resource.ObjectRef;
import java.time.Duration;
import java.util.Optional;

/**
 * One change that a step asks for. Each names what it expects, an object's uid or version, so that
 * one that comes late, or twice, does no harm.
 */
public sealed interface Action {
  /** Has the remediation's resource stay until all that needs it is undone. */
  record AddFinalizer() implements Action {}

  /** Lets the remediation's resource go. */
  record RemoveFinalizer() implements Action {}

  /**
   * Keeps new pods from the node, and marks that it was this remediation that did so.
   *
   * @param node as it was read; a later version is refused
   */
  record Cordon(ObservedNode node) implements Action {
    /** Annotation of a node: the uid of the remediation that cordoned it. */
    public static final String MARK = "probelet.io/cordoned-by";
  }

  /**
   * Lets new pods on the node, and removes the mark.
   *
   * @param node as it was read; a later version is refused
   */
  record Uncordon(ObservedNode node) implements Action {}

  /**
   * Asks for the end of a pod, which PodDisruptionBudgets may refuse for now.
   *
   * @param gracePeriod how long it has; empty for as long as it asks for itself
   */
  record Evict(PodKey pod, Optional<Duration> gracePeriod) implements Action {}

  /** Deletes a pod at once, whatever its budget and its grace. */
  record DeletePod(PodKey pod) implements Action {}

  /**
   * Adds a taint to the node, in place of one of its key and effect.
   *
   * @param node as it was read; a later version is refused
   */
  record SetTaint(ObservedNode node, ObservedNode.Taint taint) implements Action {}

  /**
   * Removes the taint with this key, value and effect.
   *
   * @param node as it was read; a later version is refused
   */
  record RemoveTaint(ObservedNode node, ObservedNode.Taint taint) implements Action {}

  /**
   * Creates the order to the node's agent; refused while there is one.
   *
   * @param spec what is ordered; the remediation is added to it
   */
  record PutOrder(String node, JsonNode spec) implements Action {}

  /**
   * Lets the node's agent begin with the order that it has claimed.
   *
   * @param resourceVersion the version in which it was claimed; a later one is refused
   */
  record GrantOrder(String node, String uid, String resourceVersion) implements Action {}

  /** Deletes an order; what is gone already is no failure. */
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

  /** Creates an object in the remediation's namespace; one that exists already is no failure. */
  record Create(ObjectRef ref, String path, JsonNode object) implements Action {}
}
