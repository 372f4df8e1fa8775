package io.probelet.monitor.rule;

import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A time format in Go's notation: the reference time 2 January 2006, 15:04:05 in that format.
 * Two layouts are equal if their texts are.
 */
public final class TimeLayout {
  private final String text;
  private final List<Part> parts;

  /** A part of a layout. */
  private sealed interface Part {
    /** Literal text. */
    record Literal(String shown) implements Part {}

    /** A number or a word. */
    record Shown(TimeField field) implements Part {}

    /** A fraction of a second with a number of digits; 0 for any number, including none. */
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
   * @throws IllegalArgumentException if it contains no element of a time; the message is for the
   *     user
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
   * @param zone the zone of times without a zone
   * @param now the wall time; a date without a year is the most recent such date, give or take a
   *     day, and a time without a date is today's
   * @return the time; empty if the text does not match the layout
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

  /** Seconds include a following fraction, unless the layout has one. */
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

  /** {@return the original text of the layout} */
  @Override
  public String toString() {
    return text;
  }
}
