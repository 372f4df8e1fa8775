package io.probelet.nodehealth.readiness;

import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A NodeReadinessRule of a cluster.
 *
 * @param generation the version of its spec, from 1
 * @param deleting whether it goes once its finalizers are gone
 * @param taintOrNull its taint, also of an invalid rule; null if that is not readable
 * @param specOrNull its spec; null if it is invalid
 * @param refusal why it is invalid, in one line; empty if it is valid
 */
public record NodeReadinessRule(
    String name,
    String uid,
    String resourceVersion,
    long generation,
    boolean deleting,
    List<String> finalizers,
    @Nullable NodeTaint taintOrNull,
    @Nullable ReadinessSpec specOrNull,
    String refusal) {
  /** Its group and version. */
  public static final String API_VERSION = "readiness.node.x-k8s.io/v1alpha1";

  /** Its kind. */
  public static final String KIND = "NodeReadinessRule";

  /** The plural name of its kind in paths. */
  public static final String PLURAL = "nodereadinessrules";

  /** Keeps a rule until its taints are gone (NRR-8); the original's. */
  public static final String FINALIZER = "readiness.node.x-k8s.io/cleanup-taints";

  /** With this begin the keys of all taints of rules; no other taint is ever changed. */
  static final String TAINT_PREFIX = "readiness.k8s.io/";

  private static final String COMPLETED_PREFIX = TAINT_PREFIX + "bootstrap-completed-";

  /** Keeps an unmodifiable copy. */
  public NodeReadinessRule {
    finalizers = List.copyOf(finalizers);
  }

  /** {@return its spec; empty if it is invalid} */
  public Optional<ReadinessSpec> spec() {
    return Optional.ofNullable(specOrNull);
  }

  /** {@return whether it stays until its taints are gone} */
  public boolean hasFinalizer() {
    return finalizers.contains(FINALIZER);
  }

  /** {@return whether an annotation of a node says that a rule is done with it} */
  static boolean isCompletion(String annotation) {
    return annotation.startsWith(COMPLETED_PREFIX);
  }

  /** {@return the annotation of a node that this rule is done with (NRR-5)} */
  String completion() {
    return COMPLETED_PREFIX + uid;
  }

  /** {@return the same annotation as early versions of the original wrote it} */
  String oldCompletion() {
    return COMPLETED_PREFIX + name;
  }
}
