package io.probelet.monitor.log;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.probelet.monitor.rule.LogInput;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Objects;
import java.util.Optional;

/**
 * Splits lines of a text file into time and message with the two expressions of its monitor.
 */
public final class TextFormat implements LineFormat {
  private final LogInput.TextFile file;
  private final ZoneId zone;

  /**
   * Creates the format.
   *
   * @param zone the zone of times without a zone
   */
  public TextFormat(LogInput.TextFile file, ZoneId zone) {
    this.file = file;
    this.zone = zone;
  }

  @Override
  public ReadLine read(String line, Instant at) {
    Optional<String> written = group(file.timestamp(), line);
    if (written.isEmpty()) {
      return new ReadLine.NoTime("no timestamp matches " + file.timestamp());
    }
    Optional<Instant> logged = file.layout().read(written.get(), zone, at);
    if (logged.isEmpty()) {
      return new ReadLine.NoTime(
          "timestamp \"" + written.get() + "\" does not match \"" + file.layout() + "\"");
    }
    return group(file.message(), line)
        .<ReadLine>map(message -> new ReadLine.LogEntry(logged.get(), message))
        .orElseGet(ReadLine.NoMessage::new);
  }

  /**
   * The last group of the match, empty if it did not participate; without groups the whole match.
   */
  private static Optional<String> group(Pattern pattern, String line) {
    Matcher matcher = pattern.matcher(line);
    return matcher.find()
        ? Optional.of(Objects.requireNonNullElse(matcher.group(matcher.groupCount()), ""))
        : Optional.empty();
  }
}
