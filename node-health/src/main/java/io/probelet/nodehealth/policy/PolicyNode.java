package io.probelet.nodehealth.policy;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a node that policies use.
 *
 * @param labels its labels; null if the node is gone, so that its policies are unknown
 * @param approved the kinds of remediation that a human approved once (ACT-76)
 */
public record PolicyNode(String name, @Nullable Map<String, String> labels, Set<String> approved) {
  private static final int MAX_KINDS = 16;

  /** Copies the collections. */
  public PolicyNode {
    labels = labels == null ? null : Map.copyOf(labels);
    approved = Set.copyOf(approved);
  }

  /**
   * A node without relevant annotations.
   *
   * @param labels its labels; null if the node is gone
   */
  public static PolicyNode of(String name, @Nullable Map<String, String> labels) {
    return new PolicyNode(name, labels, Set.of());
  }

  /**
   * Parses the annotation {@link RemediationPolicy#APPROVED}.
   *
   * @param annotation its value; null if there is none
   * @return its kinds, only the first few of a longer list
   */
  public static Set<String> approvals(@Nullable String annotation) {
    return annotation == null
        ? Set.of()
        : Arrays.stream(annotation.split(",", MAX_KINDS + 1))
            .limit(MAX_KINDS)
            .map(String::strip)
            .filter(kind -> !kind.isEmpty())
            .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Computes the annotation after one of its kinds was used.
   *
   * @return the remaining kinds, sorted, separated by commas; empty if there are none
   */
  public static String approvalsWithout(String annotation, String kind) {
    return approvals(annotation).stream()
        .filter(other -> !other.equals(kind))
        .sorted()
        .collect(Collectors.joining(","));
  }

  /**
   * Returns whether a policy applies to this node; for a deleted node that cannot be ruled out.
   *
   * @return whether it applies
   */
  public boolean isOf(RemediationPolicy policy) {
    return labels == null || policy.selector().matches(labels);
  }
}
