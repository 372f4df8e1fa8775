package io.probelet.cli.option;

import io.probelet.health.GoDuration;
import java.time.Duration;
import java.util.function.Predicate;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a duration such as {@code 1m30s}, within the range of one option. */
public abstract class DurationConverter implements ITypeConverter<Duration> {
  private final Predicate<Duration> allowed;
  private final String otherwise;

  /**
   * Creates a converter.
   *
   * @param allowed whether a duration is in range
   * @param otherwise what to say after the quoted text of one that is not
   */
  protected DurationConverter(Predicate<Duration> allowed, String otherwise) {
    this.allowed = allowed;
    this.otherwise = otherwise;
  }

  @Override
  public final Duration convert(String text) {
    Duration duration;
    try {
      duration = GoDuration.parse(text);
    } catch (IllegalArgumentException malformed) {
      throw new TypeConversionException(malformed.getMessage());
    }
    if (!allowed.test(duration)) {
      throw new TypeConversionException("\"" + text + "\" " + otherwise);
    }
    return duration;
  }
}
