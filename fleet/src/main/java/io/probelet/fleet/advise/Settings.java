package io.probelet.fleet.advise;

import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeSpec;
import io.probelet.web.statistics.ProbeStatisticsView;
import java.time.Duration;

/** The settings of a probe, without what it does. An agent may answer anything. */
final class Settings {
  /** More makes no sense, and an answer may say so to make a replay endless. */
  private static final int MAX_THRESHOLD = 10_000;

  private static final Duration LONGEST = Duration.ofDays(1);
  private static final ProbeHandler ANY = new ProbeHandler.TcpSocket(new Port.Numeric(1), null);

  private Settings() {}

  /**
   * Reads settings.
   *
   * @throws IllegalArgumentException if they cannot be; the message is for the user
   */
  static ProbeSpec read(ProbeStatisticsView view) {
    Long failing = view.failingPeriodMs();
    return ProbeSpec.of(ANY)
        .initialDelay(duration("initialDelayMs", view.initialDelayMs()))
        .period(duration("periodMs", view.periodMs()))
        .timeout(duration("timeoutMs", view.timeoutMs()))
        .failingPeriod(failing == null ? null : duration("failingPeriodMs", failing))
        .successThreshold(threshold("successThreshold", view.successThreshold()))
        .failureThreshold(threshold("failureThreshold", view.failureThreshold()))
        .build();
  }

  private static Duration duration(String field, long millis) {
    if (millis < 0 || millis > LONGEST.toMillis()) {
      throw new IllegalArgumentException(
          "%s must be from 0 to %d, found %d".formatted(field, LONGEST.toMillis(), millis));
    }
    return Duration.ofMillis(millis);
  }

  private static int threshold(String field, int found) {
    if (found > MAX_THRESHOLD) {
      throw new IllegalArgumentException(
          "%s must be at most %d, found %d".formatted(field, MAX_THRESHOLD, found));
    }
    return found;
  }

  /** {@return a builder that begins with these settings} */
  static ProbeSpec.Builder of(ProbeSpec spec) {
    return ProbeSpec.of(spec.handler())
        .initialDelay(spec.initialDelay())
        .period(spec.period())
        .timeout(spec.timeout())
        .failingPeriod(spec.failingPeriod())
        .successThreshold(spec.successThreshold())
        .failureThreshold(spec.failureThreshold());
  }
}
