package io.probelet.monitor.evidence;

import io.probelet.health.OneLine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The summary of a bundle in a few lines, for a status, an event or a terminal (ACT-105). */
public final class EvidenceDigest {
  /** Lines of a digest. */
  public static final int MAX_LINES = 20;

  /** Characters of a digest, its line ends included. */
  public static final int MAX_CHARS = 2048;

  /** Per line; views of a digest truncate lines of more than 256. */
  public static final int MAX_LINE_CHARS = 240;

  private static final int MAX_REASON_CHARS = 100;
  private static final int MAX_MISSING_LINES = 3;
  private static final int FOR_THE_LAST = 1 + MAX_MISSING_LINES;

  /** A process whose name looks like an error is not an error. */
  private static final String NAMES =
      "note: tenants choose the process, file and mount names in these lines";

  private static final String MISSING = "missing or incomplete: ";

  private EvidenceDigest() {}

  /**
   * Composes the digest.
   *
   * @param first the line that names node, time and reason
   * @param parts in order of importance
   */
  static List<String> of(String first, List<PartResult> parts) {
    List<String> last = new ArrayList<>();
    boolean any = parts.stream().anyMatch(part -> !part.highlights().isEmpty());
    if (!any) {
      last.add("nothing unusual found in the parts that could be read");
    } else {
      last.add(NAMES);
    }
    last.addAll(missing(parts));
    List<String> lines = new ArrayList<>();
    int room = MAX_CHARS;
    for (String line : last) {
      room -= line.length() + 1;
    }
    room = add(lines, first, room);
    for (PartResult part : parts) {
      for (String highlight : part.highlights()) {
        room = add(lines, part.part().name() + ": " + highlight, room);
      }
    }
    lines.addAll(last);
    return List.copyOf(lines);
  }

  /** The incomplete parts, grouped by reason. */
  private static List<String> missing(List<PartResult> parts) {
    Map<String, String> byReason = new LinkedHashMap<>();
    for (PartResult part : parts) {
      if (!part.why().isEmpty()) {
        byReason.merge(
            OneLine.beginning(part.why().getFirst(), MAX_REASON_CHARS),
            part.part().name(),
            (one, other) -> one + ", " + other);
      }
    }
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    byReason.forEach((why, names) -> {
      String one = names + " (" + why + ")";
      if (!line.isEmpty() && line.length() + one.length() + 2 > MAX_LINE_CHARS) {
        lines.add(cut(line.toString()));
        line.setLength(0);
      }
      line.append(line.isEmpty() ? MISSING : "; ").append(one);
    });
    if (!line.isEmpty()) {
      lines.add(cut(line.toString()));
    }
    return lines.stream().limit(MAX_MISSING_LINES).toList();
  }

  /** Adds a line after the first; later lines are dropped to make room. */
  static List<String> with(List<String> digest, String line) {
    List<String> lines = new ArrayList<>(digest);
    lines.add(1, cut(line));
    while (lines.size() > MAX_LINES || String.join("\n", lines).length() >= MAX_CHARS) {
      lines.remove(lines.size() - FOR_THE_LAST);
    }
    return List.copyOf(lines);
  }

  /** A line that does not fit is skipped; a shorter one may fit. */
  private static int add(List<String> lines, String line, int room) {
    String shown = cut(line);
    if (lines.size() >= MAX_LINES - FOR_THE_LAST || shown.length() + 1 > room) {
      return room;
    }
    lines.add(shown);
    return room - shown.length() - 1;
  }

  private static String cut(String line) {
    return OneLine.beginning(line, MAX_LINE_CHARS);
  }
}
