package io.probelet.simulation.api;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What happens to a request.
 *
 * @param there the time until it arrives
 * @param back the time until its answer arrives
 * @param effect what it meets
 */
public record RequestFate(Duration there, Duration back, Effect effect) {
  /** The server carries it out within a few milliseconds. */
  public static final RequestFate USUAL = delayed(Duration.ofMillis(1), Duration.ofMillis(2));

  /** What a request meets. */
  public sealed interface Effect {
    /** It is carried out and answered. */
    record CarriedOut() implements Effect {}

    /** It never arrives. */
    record LostRequest() implements Effect {}

    /** It is carried out, and its answer never arrives. */
    record LostAnswer() implements Effect {}

    /** It is carried out, and the connection ends within its answer. */
    record CutAnswer() implements Effect {}

    /**
     * It is carried out twice, as by a proxy that repeats it; the second answer arrives.
     *
     * @param later the time between them
     */
    record Duplicated(Duration later) implements Effect {}

    /**
     * It is refused without effect.
     *
     * @param code the HTTP status
     * @param reason of the Status
     * @param message of the Status
     * @param retryAfter the wait asked for; null for none
     */
    record Refused(int code, String reason, String message, @Nullable Duration retryAfter)
        implements Effect {}

    /**
     * It is carried out, and answered as if it had failed.
     *
     * @param code the HTTP status, 500 or above
     * @param message of the Status
     */
    record FailedAfterwards(int code, String message) implements Effect {}
  }

  /** {@return carried out, with these times} */
  public static RequestFate delayed(Duration there, Duration back) {
    return new RequestFate(there, back, new Effect.CarriedOut());
  }

  /** {@return the usual times with an effect} */
  public static RequestFate of(Effect effect) {
    return new RequestFate(USUAL.there, USUAL.back, effect);
  }

  /** {@return the same with another effect} */
  public RequestFate with(Effect other) {
    return new RequestFate(there, back, other);
  }

  /** {@return the refusal of priority and fairness} */
  public static Effect tooManyRequests(Duration retryAfter) {
    return new Effect.Refused(
        429, "TooManyRequests", "too many requests, please try again later", retryAfter);
  }

  /** {@return a refusal by an admission policy} */
  public static Effect deniedByAdmission(String policy) {
    return new Effect.Refused(
        403, "Forbidden", "admission policy '%s' denied request".formatted(policy), null);
  }

  /** {@return a conflict, as if someone else had changed the object meanwhile} */
  public static Effect conflict() {
    return new Effect.Refused(
        409,
        "Conflict",
        "Operation cannot be fulfilled: the object has been modified; please apply your changes to"
            + " the latest version and try again",
        null);
  }

  /** {@return a failure without effect} */
  public static Effect internalError() {
    return new Effect.Refused(500, "InternalError", "etcdserver: request timed out", null);
  }
}
