package io.probelet.remediator.resource;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A node is rebooted by its agent.
 *
 * @param drainOrNull how it is drained before; null if it is not
 * @param answerWithin how long its agent may take to answer
 * @param rebootWithin how long the node may take, once that is granted, to be there again
 */
public record RebootSpec(
    @Nullable DrainSpec drainOrNull, RebootMode mode, Duration answerWithin, Duration rebootWithin)
    implements RemediationSpec {
  /** {@return how the node is drained before; empty if it is not} */
  public Optional<DrainSpec> drain() {
    return Optional.ofNullable(drainOrNull);
  }

  @Override
  public Optional<UncordonSpec> uncordon() {
    return drain().flatMap(DrainSpec::uncordon);
  }

  @Override
  public RemediationKind kind() {
    return RemediationKind.REBOOT;
  }
}
