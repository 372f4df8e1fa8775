package io.probelet.nodehealth.monitor.log;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.probelet.nodehealth.monitor.rule.LogInput;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

/** Lines of a text file, told apart by the two expressions of its monitor. */
public final class TextFormat implements LineFormat {
  private final LogInput.TextFile file;
  private final ZoneId zone;

  /**
   * Creates the format.
   *
   * @param file the expressions
   * @param zone the zone of times that say none
   */
  public TextFormat(LogInput.TextFile file, ZoneId zone) {
    this.file = file;
    this.zone = zone;
  }

  @Override
  public Optional<LogEntry> read(String line, Instant at) {
    return group(file.timestamp(), line)
        .flatMap(written -> file.layout().read(written, zone, at))
        .flatMap(
            logged -> group(file.message(), line).map(message -> new LogEntry(logged, message)));
  }

  /** The last group of the match, or all of it if there are no groups. */
  private static Optional<String> group(Pattern pattern, String line) {
    Matcher matcher = pattern.matcher(line);
    return matcher.find()
        ? Optional.ofNullable(matcher.group(matcher.groupCount()))
        : Optional.empty();
  }
}
