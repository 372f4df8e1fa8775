package io.probelet.monitor.track;

import io.probelet.health.ShortText;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** How several problems are put in one message (B-3), and found in it again. */
final class ProblemText {
  /** What fits into the message of an event too. */
  static final int MAX_CHARS = 1024;

  private static final String BETWEEN = "; ";
  private static final int FOR_THE_REST = 24;

  private ProblemText() {}

  /** One that holds: by which reason, and what was seen. */
  record Entry(String reason, String text) {}

  /** One alone is shown as it was seen; of many those that fit are named, and the rest counted. */
  static String join(List<Entry> all) {
    if (all.size() == 1) {
      return all.getFirst().text();
    }
    Set<String> parts = new LinkedHashSet<>();
    all.forEach(entry -> parts.add(entry.reason() + ": " + entry.text()));
    StringBuilder joined = new StringBuilder();
    int named = 0;
    for (String part : parts) {
      if (joined.length() + BETWEEN.length() + part.length() > MAX_CHARS - FOR_THE_REST) {
        break;
      }
      joined.append(named++ == 0 ? "" : BETWEEN).append(part);
    }
    if (named == 0) {
      return ShortText.beginning(parts.iterator().next(), MAX_CHARS);
    }
    return named == parts.size()
        ? joined.toString()
        : joined.append(BETWEEN).append("and %d more".formatted(parts.size() - named)).toString();
  }

  /** What one reason said; what is not certainly the text of one problem is left whole. */
  static List<String> split(String message, String reason) {
    String begin = reason + ": ";
    if (!message.startsWith(begin) && !message.contains(BETWEEN + begin)) {
      return List.of(message);
    }
    List<String> texts = new ArrayList<>();
    for (String part : message.split(BETWEEN, -1)) {
      if (part.startsWith(begin)) {
        texts.add(part.substring(begin.length()));
      } else if (part.matches("and \\d+ more")) {
        texts.add(part); // perhaps by this reason: something holds that nobody can name
      }
    }
    return texts;
  }
}
