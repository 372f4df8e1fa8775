package io.probelet.nodehealth.policy;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The properties of a node that policies use.
 *
 * @param labels its labels; null if the node is gone, so that nobody knows which policies it is of
 * @param approved the kinds of remediation that a human allows once (ACT-76)
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
   * Reads the annotation {@link RemediationPolicy#APPROVED}.
   *
   * @param annotation its value; null if there is none
   * @return the kinds that it names, of a longer list the first few
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
   * @return the kinds left, sorted, with commas; empty if none is
   */
  public static String approvalsWithout(String annotation, String kind) {
    return approvals(annotation).stream()
        .filter(other -> !other.equals(kind))
        .sorted()
        .collect(Collectors.joining(","));
  }

  /**
   * Says whether a policy is for this node; for one that is gone that cannot be ruled out.
   *
   * @return whether it counts
   */
  public boolean isOf(RemediationPolicy policy) {
    return labels == null || policy.selector().matches(labels);
  }
}
