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

  /**
   * Where the time of one attempt went. Each value is the nanoseconds from the attempt's start to
   * the end of that phase, or {@link #NOT_REACHED}.
   *
   * @param begun last connection begun: 0, or later after redirects and files that had to be read
   * @param resolved host name resolved; not reached when there was nothing to resolve
   * @param connected connection made
   * @param secured TLS handshake done
   * @param firstByte first byte of the answer read
   * @param total attempt over; always reached
   */
  public record ProbeTimings(
      long begun, long resolved, long connected, long secured, long firstByte, long total) {
    /** Value of a phase that did not happen. */
    public static final long NOT_REACHED = -1;

    /**
     * {@return timings of an attempt with no phases}
     *
     * @param total nanoseconds it took
     */
    public static ProbeTimings of(long total) {
      return new ProbeTimings(0, NOT_REACHED, NOT_REACHED, NOT_REACHED, NOT_REACHED, total);
    }
  }
}
