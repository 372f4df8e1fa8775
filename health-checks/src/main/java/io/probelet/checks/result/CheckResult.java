package io.probelet.checks.result;

import io.probelet.checks.error.ErrorCode;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of one check of one object (CH-4). */
public sealed interface CheckResult {

  /** The object is healthy. */
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
   * Something is in progress and counts as unhealthy only if it takes too long.
   *
   * @param detail what is in progress, with names and numbers
   * @param codes error codes, possibly none
   * @param threshold how long it may take; null means that it counts as unhealthy immediately
   *     (CH-9)
   */
  record Progressing(String detail, List<ErrorCode> codes, @Nullable Duration threshold)
      implements CheckResult {
    /** Keeps an unmodifiable copy of the codes. */
    public Progressing {
      codes = List.copyOf(codes);
    }
  }

  /**
   * The check could not run. A check that throws has this result.
   *
   * @param detail why the check could not run
   */
  record NotExecuted(String detail) implements CheckResult {}

  /**
   * The object reports nothing about its health. It counts as neither healthy nor unhealthy.
   *
   * @param detail what it does not report
   */
  record NoOpinion(String detail) implements CheckResult {}

  /** {@return the result of a healthy object} */
  static CheckResult healthy() {
    return new Healthy();
  }

  /**
   * {@return the result of an unhealthy object}
   *
   * @param detail what is wrong, with names and figures
   * @param codes error codes, possibly none
   */
  static CheckResult unhealthy(String detail, ErrorCode... codes) {
    return new Unhealthy(detail, List.of(codes));
  }

  /**
   * {@return the result of an object that is in progress}
   *
   * @param detail what is on its way
   * @param threshold how long it may take before it counts as unhealthy
   */
  static CheckResult progressing(String detail, Duration threshold) {
    return new Progressing(detail, List.of(), threshold);
  }

  /**
   * {@return the result for an object that reports nothing about its health}
   *
   * @param detail what it does not report
   */
  static CheckResult noOpinion(String detail) {
    return new NoOpinion(detail);
  }

  /**
   * {@return the result of a check that could not run}
   *
   * @param detail why not
   */
  static CheckResult notExecuted(String detail) {
    return new NotExecuted(detail);
  }
}
