package io.probelet.probe;

/**
 * The end of one attempt.
 *
 * @param verdict what was found out
 * @param timings where the time went
 * @param certificateExpiry when the first of the certificates that the target showed expires, in
 *     seconds since 1970; {@link #NO_CERTIFICATE} if it showed none
 */
public record ProbeOutcome(Verdict verdict, ProbeTimings timings, long certificateExpiry) {
  /** Value where there was no TLS handshake, or none that came to its end. */
  public static final long NO_CERTIFICATE = Long.MAX_VALUE;

  /**
   * The end of an attempt without TLS.
   *
   * @param verdict what was found out
   * @param timings where the time went
   */
  public ProbeOutcome(Verdict verdict, ProbeTimings timings) {
    this(verdict, timings, NO_CERTIFICATE);
  }
}
