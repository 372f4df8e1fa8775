package io.probelet.probe.http;

import io.probelet.probe.HttpExpectation;
import io.probelet.probe.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * Decides on a final answer by its status: as the kubelet does, or by what the annotation expects.
 */
final class HttpVerdict {
  private HttpVerdict() {}

  /** {@return the verdict on an answer whose body has arrived, its rules apart} */
  static Verdict of(HttpResponse answer, HttpExpectation expected) {
    int status = answer.status();
    Verdict failure = failureByStatus(status, expected);
    if (failure != null) {
      return failure;
    }
    String body = answer.body().text();
    // H-3: a chain of redirects ended here
    return status >= 300 && expected.equals(HttpExpectation.KUBELET)
        ? new Verdict.Warning(
            "Probe terminated redirects, Response body: " + Secrets.withoutUrlSecrets(body))
        : new Verdict.Success(body);
  }

  /**
   * {@return the failure no body can save an answer from, or null; never contains the body (H-3)}
   */
  static @Nullable Verdict failureByStatus(int status, HttpExpectation expected) {
    if (accepts(status, expected)) {
      return null;
    }
    String wanted = expected.statuses().isEmpty() ? "" : ", expected " + expected.statuses();
    return new Verdict.Failure(
        "HTTP probe failed with statuscode: " + status + wanted,
        true,
        Verdict.Cause.STATUS,
        status);
  }

  private static boolean accepts(int status, HttpExpectation expected) {
    if (expected.statuses().isEmpty() && expected.condition() != null) {
      return true;
    }
    return expected.statuses().isEmpty()
        ? status >= 200 && status < 400
        : expected.statuses().contains(status);
  }
}
