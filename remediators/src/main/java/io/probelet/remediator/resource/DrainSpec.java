package io.probelet.remediator.resource;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A node is cordoned and its pods are evicted.
 *
 * @param timeout how long that may take
 * @param force whether pods that are left then are deleted; otherwise the drain has failed
 * @param gracePeriodOrNull how long pods may take to end, instead of what they say; null if they
 *     are asked
 * @param evictUnmanagedPods whether pods that no controller recreates are evicted; otherwise no pod
 *     is, and the drain fails
 * @param deleteEmptyDirData whether pods with emptyDir volumes are evicted, whose data is lost
 *     then; otherwise no pod is, and the drain fails
 * @param uncordonOrNull what the node must show before it is uncordoned; null for nothing
 */
public record DrainSpec(
    Duration timeout,
    boolean force,
    @Nullable Duration gracePeriodOrNull,
    boolean evictUnmanagedPods,
    boolean deleteEmptyDirData,
    @Nullable UncordonSpec uncordonOrNull)
    implements RemediationSpec {
  /** What holds where nothing is said. */
  public static final DrainSpec DEFAULT =
      new DrainSpec(Duration.ofMinutes(10), false, null, true, true, null);

  /** {@return how long pods may take to end; empty if what they say counts} */
  public Optional<Duration> gracePeriod() {
    return Optional.ofNullable(gracePeriodOrNull);
  }

  @Override
  public Optional<UncordonSpec> uncordon() {
    return Optional.ofNullable(uncordonOrNull);
  }

  @Override
  public RemediationKind kind() {
    return RemediationKind.DRAIN;
  }
}
