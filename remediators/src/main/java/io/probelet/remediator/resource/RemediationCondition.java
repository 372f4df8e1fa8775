package io.probelet.remediator.resource;

import io.probelet.health.OneLine;
import java.time.Instant;

/**
 * One condition of a remediation, as remediators of medik8s have them (ACT-1).
 *
 * @param type one of the words below
 * @param status True, False or Unknown
 * @param reason one word in UpperCamelCase
 * @param lastTransitionTime when the status changed last
 */
public record RemediationCondition(
    String type, String status, String reason, String message, Instant lastTransitionTime) {
  /** Whether it is being carried out. */
  public static final String PROCESSING = "Processing";

  /** Whether it was carried out; Unknown until that is decided. */
  public static final String SUCCEEDED = "Succeeded";

  /** Whether the node will be gone for good afterwards, and its remediation is kept until then. */
  public static final String PERMANENT_NODE_DELETION_EXPECTED = "PermanentNodeDeletionExpected";

  /** True from the remediation's deletion while its node waits for the checks of ACT-22. */
  public static final String UNCORDON_PENDING = "UncordonPending";

  /** Whether the node's conditions are those that the checks require. */
  public static final String UNCORDON_CHECKS_PASSED = "UncordonChecksPassed";

  private static final int MAX_TYPE = 316;
  private static final int MAX_STATUS = 16;
  private static final int MAX_REASON = 128;

  /** ACT-44: others write conditions too; each text becomes one line within its bound. */
  public RemediationCondition {
    type = OneLine.of(type, MAX_TYPE);
    status = OneLine.of(status, MAX_STATUS);
    reason = OneLine.of(reason, MAX_REASON);
    message = OneLine.of(message, RemediationProgress.MAX_MESSAGE);
  }
}
