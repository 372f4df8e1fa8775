package io.probelet.cluster.constraint;

import io.probelet.checks.condition.ThresholdPolicy;
import io.probelet.checks.error.ErrorCode;
import io.probelet.checks.operation.OperationStatus;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * The result of a constraint.
 *
 * @param status True if it holds
 * @param reason one UpperCamelCase word
 * @param codes error codes, possibly none
 */
public record Constraint(
    String type, ConditionStatus status, String reason, String message, List<ErrorCode> codes) {

  /** Whether the cluster would start again after it was scaled to zero (CH-30). */
  public static final String HIBERNATION_POSSIBLE = "HibernationPossible";

  /** Whether nodes can be replaced without getting stuck (CH-30). */
  public static final String MAINTENANCE_PRECONDITIONS_SATISFIED =
      "MaintenancePreconditionsSatisfied";

  /** Whether the watched CA certificates are valid long enough (CH-35). */
  public static final String CA_CERTIFICATE_VALIDITIES_ACCEPTABLE =
      "CACertificateValiditiesAcceptable";

  /** Whether all CRDs can be read without their conversion webhook (CH-36). */
  public static final String CRDS_WITH_PROBLEMATIC_CONVERSION_WEBHOOKS =
      "CRDsWithProblematicConversionWebhooks";

  /** All of them. */
  public static final Set<String> TYPES =
      Set.of(
          HIBERNATION_POSSIBLE,
          MAINTENANCE_PRECONDITIONS_SATISFIED,
          CA_CERTIFICATE_VALIDITIES_ACCEPTABLE,
          CRDS_WITH_PROBLEMATIC_CONVERSION_WEBHOOKS);

  private static final Set<String> SHOWN_WHEN_NOT_TRUE =
      Set.of(CA_CERTIFICATE_VALIDITIES_ACCEPTABLE, CRDS_WITH_PROBLEMATIC_CONVERSION_WEBHOOKS);

  /** Keeps an unmodifiable copy of the codes. */
  public Constraint {
    codes = List.copyOf(codes);
  }

  static Constraint holds(String type, String reason, String message) {
    return new Constraint(type, ConditionStatus.TRUE, reason, message, List.of());
  }

  static Constraint broken(String type, String reason, String message, ErrorCode... codes) {
    return new Constraint(type, ConditionStatus.FALSE, reason, message, List.of(codes));
  }

  /**
   * {@return the result Unknown of a constraint that could not be checked (CH-37)}
   *
   * @param error the cause
   */
  public static Constraint notChecked(String type, String error) {
    return new Constraint(type, ConditionStatus.UNKNOWN, "ConditionCheckError", error, List.of());
  }

  /** {@return whether the constraint is shown; some are shown only while they do not hold} */
  public boolean isShown() {
    return status != ConditionStatus.TRUE || !SHOWN_WHEN_NOT_TRUE.contains(type);
  }

  /**
   * {@return the condition for this constraint; a False may be pardoned (CH-29)}
   *
   * @param old the current condition; {@link Condition#initial} if there is none
   */
  public Condition applyTo(Condition old, OperationStatus operation, Instant now) {
    return old.update(
        ThresholdPolicy.tolerated(status, operation),
        reason,
        message,
        codes.stream().map(ErrorCode::name).toList(),
        now);
  }
}
