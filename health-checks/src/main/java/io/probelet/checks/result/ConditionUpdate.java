package io.probelet.checks.result;

import io.probelet.checks.error.ErrorCode;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What all checks of one condition type come to at one moment, before what the condition was is
 * considered.
 *
 * @param status what they come to
 * @param reason one UpperCamelCase word
 * @param message a sentence with the details of the checks
 * @param codes error codes, each once, in the order of the checks
 * @param progressingThreshold how long {@code Progressing} may last; null means no time at all
 */
public record ConditionUpdate(
    ConditionStatus status,
    String reason,
    String message,
    List<ErrorCode> codes,
    @Nullable Duration progressingThreshold) {

  static final String SUCCESSFUL = "HealthCheckSuccessful";
  static final String UNSUCCESSFUL = "HealthCheckUnsuccessful";

  /** The reason of a condition whose checks are progressing, whichever status says so. */
  public static final String PROGRESSING = "HealthCheckProgressing";

  static final String NO_OPINION = "HealthCheckNoOpinion";
  static final String ERROR = "ConditionCheckError";

  /** Keeps an unmodifiable copy of the codes. */
  public ConditionUpdate {
    codes = List.copyOf(codes);
  }

  /**
   * Applies it to the condition, given how long it has been progressing already.
   *
   * @param old the condition as it is; {@link Condition#initial} where there is none
   * @param now the wall time
   * @return the condition as it is to be, {@code old} itself if nothing changes
   */
  public Condition applyTo(Condition old, Instant now) {
    return applyTo(old, ConditionStatus.PROGRESSING, now);
  }

  /**
   * Applies it to the condition of a kind that may not accept {@code Progressing}.
   *
   * @param old the condition as it is; {@link Condition#initial} where there is none
   * @param progressing the status to use for Progressing: itself, or {@code Unknown} where a kind
   *     accepts only Kubernetes' three
   * @param now the wall time
   * @return the condition as it is to be, {@code old} itself if nothing changes
   */
  public Condition applyTo(Condition old, ConditionStatus progressing, Instant now) {
    List<String> names = codes.stream().map(ErrorCode::name).toList();
    if (isOverdue(old, now)) {
      return old.update(ConditionStatus.FALSE, UNSUCCESSFUL, message, names, now);
    }
    ConditionStatus said = status == ConditionStatus.PROGRESSING ? progressing : status;
    return old.update(said, reason, message, names, now);
  }

  /** {@return the same update without error codes} */
  public ConditionUpdate withoutCodes() {
    return new ConditionUpdate(status, reason, message, List.of(), progressingThreshold);
  }

  private boolean isOverdue(Condition old, Instant now) {
    if (status != ConditionStatus.PROGRESSING) {
      return false;
    }
    if (progressingThreshold == null) {
      return true; // CH-9: no threshold, no grace
    }
    return switch (old.status()) {
      case TRUE -> false; // CH-9: from True it is Progressing first
      case FALSE -> true; // CH-9: False stays until healthy
      case PROGRESSING, UNKNOWN ->
          old.lastTransitionTime().plus(progressingThreshold).isBefore(now);
    };
  }
}
