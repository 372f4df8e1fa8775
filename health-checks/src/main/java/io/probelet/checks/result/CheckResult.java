package io.probelet.checks.result;

import io.probelet.checks.error.ErrorCode;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one check found out about one object (CH-4). */
public sealed interface CheckResult {

  /** All is well. */
  record Healthy() implements CheckResult {}

  /**
   * Something is wrong.
   *
   * @param detail what is wrong, with names and figures
   * @param codes error codes, possibly none
   */
  record Unhealthy(String detail, List<ErrorCode> codes) implements CheckResult {
    /** Keeps an unmodifiable copy of the codes. */
    public Unhealthy {
      codes = List.copyOf(codes);
    }
  }

  /**
   * Something is on its way and counts as wrong only when it takes too long.
   *
   * @param detail what is on its way, with names and figures
   * @param codes error codes, possibly none
   * @param threshold how long it may take; null means no time at all (CH-9)
   */
  record Progressing(String detail, List<ErrorCode> codes, @Nullable Duration threshold)
      implements CheckResult {
    /** Keeps an unmodifiable copy of the codes. */
    public Progressing {
      codes = List.copyOf(codes);
    }
  }

  /**
   * Nobody could find out. A check that throws becomes this.
   *
   * @param detail why it could not be carried out
   */
  record NotExecuted(String detail) implements CheckResult {}

  /**
   * The object reports nothing that the check could go by. It is neither healthy nor unhealthy.
   *
   * @param detail what it does not report
   */
  record NoOpinion(String detail) implements CheckResult {}

  /** {@return that all is well} */
  static CheckResult healthy() {
    return new Healthy();
  }

  /**
   * {@return that something is wrong}
   *
   * @param detail what is wrong, with names and figures
   * @param codes error codes, possibly none
   */
  static CheckResult unhealthy(String detail, ErrorCode... codes) {
    return new Unhealthy(detail, List.of(codes));
  }

  /**
   * {@return that something is on its way}
   *
   * @param detail what is on its way
   * @param threshold how long it may take before it counts as wrong
   */
  static CheckResult progressing(String detail, Duration threshold) {
    return new Progressing(detail, List.of(), threshold);
  }

  /**
   * {@return that the object reports nothing to go by}
   *
   * @param detail what it does not report
   */
  static CheckResult noOpinion(String detail) {
    return new NoOpinion(detail);
  }

  /**
   * {@return that nobody could find out}
   *
   * @param detail why not
   */
  static CheckResult notExecuted(String detail) {
    return new NotExecuted(detail);
  }
}
