package io.probelet.probe.net;

import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Reason;
import org.jspecify.annotations.Nullable;

/**
 * Why there is no connection, or no more of it.
 *
 * @param fault null when the target is at fault; otherwise why the probe could not be carried out
 * @param message one line that names the operation and the address, worded as Go does
 */
public record NetFailure(@Nullable Reason fault, String message) {
  /**
   * {@return the verdict this amounts to: Failure when the target is at fault, else ProberError}
   *
   * @param context put in front of the message, possibly empty
   */
  public Verdict verdict(String context) {
    String text = context + message;
    return fault == null ? new Verdict.Failure(text) : new Verdict.ProberError(fault, text);
  }
}
