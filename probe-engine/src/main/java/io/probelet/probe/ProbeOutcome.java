package io.probelet.probe;

/**
 * The end of one attempt.
 *
 * @param verdict what was found out
 * @param timings where the time went
 * @param certificateExpiry earliest expiry of the target's certificates, in seconds since 1970;
 *     {@link #NO_CERTIFICATE} without certificates
 */
public record ProbeOutcome(Verdict verdict, ProbeTimings timings, long certificateExpiry) {
  /** Value without a completed TLS handshake. */
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
   * The phases of one attempt, as nanoseconds from the attempt's start to the end of the phase, or
   * {@link #NOT_REACHED}.
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
