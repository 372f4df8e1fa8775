package io.probelet.cli;

import io.probelet.cli.option.PrometheusAccess;
import io.probelet.health.GoDuration;
import io.probelet.nodehealth.tape.TapeReader;
import io.probelet.rehearsal.prometheus.PrometheusSource;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of {@code probelet record} that make a tape of what Prometheus has. */
final class PrometheusOptions {
  /** The names of those that belong to --from-prometheus. */
  static final List<String> FURTHER =
      List.of("--since", "--until", "--step", "--match", "--label", "--token-file", "--ca-file");

  private static final Duration MIN_STEP = Duration.ofSeconds(5);
  private static final Duration MAX_STEP = Duration.ofMinutes(5);
  private static final int MAX_LABELS = 200;
  private static final Pattern DAYS = Pattern.compile("([0-9]{1,4})d");

  @Option(
      names = "--from-prometheus",
      paramLabel = "URL",
      description =
          "Make the tape from a Prometheus that scrapes kube-state-metrics; the URL without /api/v1."
              + " Of the other options only --tape, --cluster, --max-mebibytes and the following"
              + " apply.")
  private @Nullable String url;

  @Option(
      names = "--since",
      paramLabel = "DURATION",
      defaultValue = "30d",
      description = "Length of the tape, up to 366d (default: ${DEFAULT-VALUE}).")
  private String since;

  @Option(
      names = "--until",
      paramLabel = "TIME",
      description = "End of the tape, such as 2026-10-01T00:00:00Z (default: now).")
  private @Nullable String until;

  @Option(
      names = "--step",
      paramLabel = "DURATION",
      defaultValue = "60s",
      description =
          "Resolution, 5s to 5m (default: ${DEFAULT-VALUE}); shorter changes may be missed.")
  private String step;

  @Option(
      names = "--label",
      paramLabel = "NAME",
      description =
          "Full name of a node label; may be repeated. Prometheus itself keeps only letters, digits"
              + " and underscores of it.")
  private List<String> labels = List.of();

  @Mixin private PrometheusAccess access = new PrometheusAccess();

  /** {@return whether to make the tape from a Prometheus} */
  boolean isGiven() {
    return url != null;
  }

  /**
   * Reads the options.
   *
   * @param now the end of the tape unless one is given
   * @throws IllegalArgumentException if an option is invalid; the message is for the user
   */
  PrometheusSource source(Instant now) {
    Duration apart = duration("--step", step);
    if (apart.compareTo(MIN_STEP) < 0
        || apart.compareTo(MAX_STEP) > 0
        || !apart.equals(Duration.ofSeconds(apart.toSeconds()))) {
      throw new IllegalArgumentException(
          "--step must be from 5s to 5m, in whole seconds, not " + step);
    }
    Duration length = duration("--since", since);
    if (length.compareTo(apart) < 0 || length.compareTo(TapeReader.MAX_LENGTH) > 0) {
      throw new IllegalArgumentException(
          "--since must be from one step to 366d, such as 30d or 12h, not " + since);
    }
    if (labels.size() > MAX_LABELS) {
      throw new IllegalArgumentException("--label is given more than " + MAX_LABELS + " times");
    }
    long seconds = apart.toSeconds();
    long end = end(now).getEpochSecond() / seconds * seconds;
    long start = end - length.toSeconds() / seconds * seconds;
    return access.source(
        "--from-prometheus",
        url,
        new LinkedHashSet<>(labels),
        Instant.ofEpochSecond(start),
        Instant.ofEpochSecond(end),
        apart);
  }

  private Instant end(Instant now) {
    if (until == null) {
      return now;
    }
    Instant end;
    try {
      end = Instant.parse(until);
    } catch (DateTimeException e) {
      throw new IllegalArgumentException(
          "--until must be a time, such as 2026-10-01T00:00:00Z, not " + until, e);
    }
    if (end.isAfter(now) || end.isBefore(Instant.EPOCH.plus(TapeReader.MAX_LENGTH))) {
      throw new IllegalArgumentException(
          "--until must not be after now, nor before 1972: " + until);
    }
    return end;
  }

  private static Duration duration(String option, String text) {
    var days = DAYS.matcher(text);
    if (days.matches()) {
      return Duration.ofDays(Long.parseLong(days.group(1)));
    }
    try {
      return GoDuration.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(option + ": " + e.getMessage(), e);
    }
  }
}
