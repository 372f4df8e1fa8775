package io.probelet.monitor.evidence;

import io.probelet.monitor.log.CleanText;
import java.util.ArrayList;
import java.util.List;

/**
 * The few lines of a bundle that say what matters: for a status, an event, a terminal (ACT-105).
 */
public final class EvidenceDigest {
  /** Lines of a digest. */
  public static final int MAX_LINES = 20;

  /** Characters of a digest, its line ends included. */
  public static final int MAX_CHARS = 2048;

  private static final int MAX_LINE_CHARS = 240;
  private static final int FOR_THE_LAST = 2;

  private EvidenceDigest() {}

  /**
   * Composes it.
   *
   * @param first says whose evidence that is
   * @param parts in the order in which they matter
   */
  static List<String> of(String first, List<PartResult> parts) {
    List<String> last = new ArrayList<>();
    String missing =
        String.join(
            "; ",
            parts.stream()
                .filter(part -> !part.why().isEmpty())
                .map(part -> part.part().name() + " (" + part.why().getFirst() + ")")
                .toList());
    boolean any = parts.stream().anyMatch(part -> !part.highlights().isEmpty());
    if (!any) {
      last.add("nothing unusual in what could be read");
    }
    if (!missing.isEmpty()) {
      last.add("missing or incomplete: " + missing);
    }
    List<String> lines = new ArrayList<>();
    int room = MAX_CHARS;
    for (String line : last) {
      room -= cut(line).length() + 1;
    }
    room = add(lines, first, room);
    for (PartResult part : parts) {
      for (String highlight : part.highlights()) {
        room = add(lines, part.part().name() + ": " + highlight, room);
      }
    }
    last.forEach(line -> lines.add(cut(line)));
    return List.copyOf(lines);
  }

  /** Adds a line behind the first; others give way to it. */
  static List<String> with(List<String> digest, String line) {
    List<String> lines = new ArrayList<>(digest);
    lines.add(1, cut(line));
    while (lines.size() > MAX_LINES || String.join("\n", lines).length() >= MAX_CHARS) {
      lines.remove(lines.size() - FOR_THE_LAST);
    }
    return List.copyOf(lines);
  }

  /** What has no room is left out; something shorter may have. */
  private static int add(List<String> lines, String line, int room) {
    String shown = cut(line);
    if (lines.size() >= MAX_LINES - FOR_THE_LAST || shown.length() + 1 > room) {
      return room;
    }
    lines.add(shown);
    return room - shown.length() - 1;
  }

  private static String cut(String line) {
    return CleanText.of(line, MAX_LINE_CHARS);
  }
}
