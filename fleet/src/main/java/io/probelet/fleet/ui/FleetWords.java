package io.probelet.fleet.ui;

import io.probelet.fleet.FleetCondition.Verdict;
import io.probelet.fleet.FleetNode;
import io.probelet.fleet.FleetRemediation;
import io.probelet.health.ShortText;
import io.probelet.web.page.Ago;
import io.probelet.web.page.Html;
import io.probelet.web.page.PageQuery;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** States as pages show them: by a color, a shape and a word. */
final class FleetWords {
  private static final int MAX_BRIEF = 200;

  private FleetWords() {}

  /**
   * A state as it is shown.
   *
   * @param shape one character, another one for each state
   * @param word for readers who do not see the shape
   */
  record Shown(String shape, String style, String word) {
    /** {@return shape and word} */
    Html html() {
      return new Html()
          .open("span", "class", "state " + style)
          .element("span", shape, "aria-hidden", "true")
          .text(" " + word)
          .close("span");
    }
  }

  static Shown of(FleetNode.State state) {
    return switch (state) {
      case WAITING -> new Shown("■", "failed", "held back");
      case UNHEALTHY -> new Shown("✕", "failed", "unhealthy");
      case REMEDIATING -> new Shown("↻", "warning", "remediating");
      case SOON -> new Shown("◔", "warning", "unhealthy soon");
      case PROBLEM -> new Shown("▲", "warning", "problem");
      case UNREPORTED -> new Shown("?", "unknown", "not reported yet");
      case HEALTHY -> new Shown("●", "good", "healthy");
    };
  }

  static Shown of(FleetRemediation.State state) {
    return switch (state) {
      case FAILED -> new Shown("✕", "failed", "failed");
      case TIMED_OUT -> new Shown("✕", "failed", "timed out");
      case HELD -> new Shown("■", "failed", "held back");
      case AT_WORK -> new Shown("↻", "warning", "in progress");
      case ENDING -> new Shown("↻", "warning", "being deleted");
      case SUCCEEDED -> new Shown("●", "good", "succeeded");
      case NOT_SEEN -> new Shown("?", "unknown", "not visible");
    };
  }

  static Shown of(Verdict verdict, String status) {
    return switch (verdict) {
      case GOOD -> new Shown("●", "good", status);
      case WARNING -> new Shown("▲", "warning", status);
      case BAD -> new Shown("✕", "failed", status);
      case UNKNOWN -> new Shown("?", "unknown", status);
    };
  }

  /** {@return a link to a node's page} */
  static Html node(String name) {
    return new Html().element("a", name, "href", PageQuery.link("node", "name", name));
  }

  /** {@return a text} */
  static Html text(String text) {
    return new Html().text(text);
  }

  /** {@return a text for a table: its beginning, if it is long} */
  static String brief(String text) {
    return ShortText.of(text, MAX_BRIEF);
  }

  /**
   * {@return when something was or will be; a dash if unknown}
   *
   * @param time when, if known
   */
  static Html time(@Nullable Instant time, Instant now) {
    return time == null ? text("–") : Ago.of(time, now);
  }

  /** {@return a count with its thousands apart} */
  static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  /** {@return a count and what is counted, in the singular for one} */
  static String count(long count, String singular) {
    return count(count) + " " + singular + (count == 1 ? "" : "s");
  }
}
