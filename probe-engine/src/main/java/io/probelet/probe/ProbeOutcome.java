package io.probelet.probe;

/**
 * The end of one attempt.
 *
 * @param verdict what was found out
 * @param timings where the time went
 */
public record ProbeOutcome(Verdict verdict, ProbeTimings timings) {}
