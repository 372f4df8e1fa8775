package io.probelet.monitor.rule;

import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How times are written in a log, given as Go does it: by showing how 2 January 2006, 15:04:05,
 * would be written. Two layouts are equal if they are written the same.
 */
public final class TimeLayout {
  private final String text;
  private final List<Part> parts;

  /** What a layout is made of. */
  private sealed interface Part {
    /** Text that is matched literally. */
    record Literal(String shown) implements Part {}

    /** A number or a word. */
    record Shown(TimeField field) implements Part {}

    /** A fraction of a second, of so many digits; of any number, none included, if that is 0. */
    record Fraction(int digits) implements Part {}
  }

  private TimeLayout(String text, List<Part> parts) {
    this.text = text;
    this.parts = List.copyOf(parts);
  }

  /**
   * Reads a layout.
   *
   * @param text for example {@code Jan _2 15:04:05}
   * @throws IllegalArgumentException if it shows nothing of a time; the message is for the user
   */
  public static TimeLayout parse(String text) {
    List<Part> parts = new ArrayList<>();
    StringBuilder literal = new StringBuilder();
    for (int at = 0; at < text.length(); ) {
      Optional<TimeField> field = TimeField.shownIn(text, at);
      int fraction = fraction(text, at);
      if (field.isEmpty() && fraction == 0) {
        literal.append(text.charAt(at++));
        continue;
      }
      addLiteral(parts, literal);
      if (field.isPresent()) {
        parts.add(new Part.Shown(field.get()));
        at += field.get().word().length();
      } else {
        parts.add(new Part.Fraction(text.charAt(at + 1) == '0' ? fraction - 1 : 0));
        at += fraction;
      }
    }
    if (parts.isEmpty()) {
      throw new IllegalArgumentException(
          "must be a Go time layout: the time 2006-01-02 15:04:05 in the log's format");
    }
    addLiteral(parts, literal);
    return new TimeLayout(text, parts);
  }

  private static void addLiteral(List<Part> parts, StringBuilder literal) {
    if (!literal.isEmpty()) {
      parts.add(new Part.Literal(literal.toString()));
      literal.setLength(0);
    }
  }

  /** Length of {@code .000} or {@code ,999}; 0 if there is none. */
  private static int fraction(String text, int at) {
    int end = at + 1;
    while (end < text.length()
        && (text.charAt(end) == '0' || text.charAt(end) == '9')
        && text.charAt(end) == text.charAt(at + 1)) {
      end++;
    }
    boolean shown = (text.charAt(at) == '.' || text.charAt(at) == ',') && end > at + 1;
    boolean ends = end == text.length() || text.charAt(end) < '0' || text.charAt(end) > '9';
    return shown && ends ? end - at : 0;
  }

  /**
   * Reads a time.
   *
   * @param zone the zone of times that say none
   * @param now the wall time; a date without a year is the last such before it, give or take a day,
   *     and a time without a date is of today
   * @return the time; empty if it is not written as the layout says
   */
  public Optional<Instant> read(String written, ZoneId zone, Instant now) {
    TimeText rest = new TimeText(written);
    TimeReading reading = new TimeReading(rest);
    for (int index = 0; index < parts.size(); index++) {
      boolean there =
          switch (parts.get(index)) {
            case Part.Literal(String shown) -> rest.literal(shown);
            case Part.Shown(TimeField field) -> reading.field(field, isFractionNext(index + 1));
            case Part.Fraction(int digits) -> reading.fraction(digits);
          };
      if (!there) {
        return Optional.empty();
      }
    }
    return rest.isAtEnd() ? reading.instant(zone, now) : Optional.empty();
  }

  /** Seconds take the fraction that follows them, unless the layout shows one. */
  private boolean isFractionNext(int from) {
    return parts.stream()
        .skip(from)
        .filter(part -> !(part instanceof Part.Literal))
        .findFirst()
        .filter(Part.Fraction.class::isInstance)
        .isPresent();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TimeLayout layout && layout.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** {@return the layout as it was given} */
  @Override
  public String toString() {
    return text;
  }
}
