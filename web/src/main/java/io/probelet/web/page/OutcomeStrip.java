package io.probelet.web.page;

import io.probelet.web.api.Severity;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Recent outcomes as a line of shapes, oldest first: colored, but readable without color, and
 * summed up for screen readers.
 */
public final class OutcomeStrip {
  private static final int MAX_MARKS = 60;

  private OutcomeStrip() {}

  /** How something went, as a shape and a class of the style sheet. */
  public enum Mark {
    /** As it should. */
    GOOD("●", 0),
    /** Well, with something to check. */
    WARNING("▲", 2),
    /** Not as it should. */
    FAILED("✕", 3),
    /** It could not be carried out, or nothing is known. */
    UNKNOWN("·", 1);

    private final String shape;
    private final int severity;

    Mark(String shape, int severity) {
      this.shape = shape;
      this.severity = severity;
    }

    /**
     * {@return the mark of a probe's outcome}
     *
     * @param result successful, warning, failed or error, as the API has it; anything else is
     *     unknown
     */
    public static Mark ofOutcome(String result) {
      return switch (result) {
        case "successful" -> GOOD;
        case "warning" -> WARNING;
        case "failed" -> FAILED;
        default -> UNKNOWN;
      };
    }

    /** {@return the mark of how bad something is} */
    public static Mark of(Severity severity) {
      return switch (severity) {
        case UNHEALTHY -> FAILED;
        case WARNING -> WARNING;
        case UNKNOWN -> UNKNOWN;
        case HEALTHY -> GOOD;
      };
    }

    /** {@return how bad it is, from 0; unknown is worse than good} */
    public int severity() {
      return severity;
    }

    /** {@return the class of the style sheet, and the word for it} */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    /**
     * {@return the shape in its color, hidden from screen readers: the text beside it has to say
     * the same}
     */
    public Html html() {
      return new Html().element("span", shape, "class", label(), "aria-hidden", "true");
    }
  }

  /**
   * Draws a strip.
   *
   * @param marks oldest first; the newest 60 are drawn
   * @return one element
   */
  public static Html of(List<Mark> marks) {
    List<Mark> drawn = marks.subList(Math.max(0, marks.size() - MAX_MARKS), marks.size());
    Html strip =
        new Html().open("span", "class", "strip", "role", "img", "aria-label", summary(drawn));
    for (int from = 0; from < drawn.size(); ) {
      Mark mark = drawn.get(from);
      int to = from;
      while (to < drawn.size() && drawn.get(to) == mark) {
        to++;
      }
      strip.element("span", mark.shape.repeat(to - from), "class", mark.label());
      from = to;
    }
    return strip.close("span");
  }

  private static String summary(List<Mark> marks) {
    if (marks.isEmpty()) {
      return "nothing yet";
    }
    Map<Mark, Integer> counts = new EnumMap<>(Mark.class);
    marks.forEach(mark -> counts.merge(mark, 1, Integer::sum));
    StringBuilder text = new StringBuilder("last " + marks.size() + ":");
    counts.forEach((mark, count) ->
        text.append(' ').append(count).append(' ').append(mark.label()).append(','));
    return text.append(" newest ").append(marks.getLast().label()).toString();
  }
}
