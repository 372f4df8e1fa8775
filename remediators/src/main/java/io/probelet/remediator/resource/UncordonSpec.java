package io.probelet.remediator.resource;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a node must show before a remediation uncordons it (ACT-22).
 *
 * @param conditions the conditions that it must have all together; at least one
 * @param stable how long it must have had them without a break; zero for one look
 * @param jobOrNull the template of the Job that must complete after that; null for none
 * @param timeout how long all of that may take in addition to {@code stable}; after that the node
 *     stays cordoned for good
 */
public record UncordonSpec(
    List<NodeConditionStatus> conditions,
    Duration stable,
    @Nullable ObjectNode jobOrNull,
    Duration timeout) {
  /** Keeps an unmodifiable copy. */
  public UncordonSpec {
    conditions = List.copyOf(conditions);
  }

  /** {@return the template of the Job that must complete; empty for none} */
  public Optional<ObjectNode> job() {
    return Optional.ofNullable(jobOrNull);
  }
}
