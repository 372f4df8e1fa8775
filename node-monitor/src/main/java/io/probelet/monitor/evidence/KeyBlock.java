package io.probelet.monitor.evidence;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;

/**
 * Removes PEM keys from the lines of one log. Anyone may write the first line of a key, and other
 * lines may be interleaved: only lines in the format of a key are removed.
 */
final class KeyBlock {
  /** The most lines of one key. */
  private static final int MAX_LINES = 200;

  private static final String BEGINS = "-----BEGIN ";
  private static final String ENDS = "-----END ";
  private static final Pattern BEGIN = Pattern.compile("-----BEGIN [A-Z0-9][A-Z0-9 ]{0,62}-----");
  private static final Pattern END = Pattern.compile("-----END [A-Z0-9][A-Z0-9 ]{0,62}-----");

  private static final Pattern HEADER =
      Pattern.compile(
          "(?:Proc-Type|DEK-Info|Content-Domain|Version|Comment|Hash|Charset|MessageID): \\S.*");

  /** Whole groups of base64, in a line of any length, or the checksum of OpenPGP. */
  private static final Pattern BODY =
      Pattern.compile(
          "(?:[A-Za-z0-9+/]{4})*[A-Za-z0-9+/]{2}(?:[A-Za-z0-9+/]{2}|[A-Za-z0-9+/]=|==)|=[A-Za-z0-9+/]{4}");

  /**
   * A shorter line counts as part of a key only directly after other lines of the key, or if it is
   * not a word.
   */
  private static final int MIN_FIRST = 16;

  private static final Pattern WORD = Pattern.compile("[A-Z]?[a-z]+|[A-Z]+|[0-9]+");

  private int lines;
  private boolean body;

  /** Whether the line before belonged to another writer. */
  private boolean interrupted;

  /** The last word of the log's line prefix before the key's first line; may be empty. */
  private String lead = "";

  /** Returns the next line with parts of a key removed. */
  String line(String line) {
    if (lines > 0) {
      String rest = rest(line);
      if (rest.startsWith(ENDS)) {
        lines = 0;
        return line(Redaction.MARK + rest.substring(afterEnd(rest, 0)));
      }
      if (++lines > MAX_LINES) {
        lines = 0;
      } else if (isPart(rest)) {
        interrupted = false;
        return rest.isEmpty() ? line : Redaction.MARK;
      } else {
        interrupted = true;
      }
    }
    return line.contains(BEGINS) ? begun(line) : line;
  }

  private String begun(String line) {
    Matcher begin = BEGIN.matcher(line);
    StringBuilder plain = new StringBuilder();
    int at = 0;
    while (begin.find(at)) {
      plain.append(line, at, begin.start()).append(Redaction.MARK);
      at = afterEnd(line, begin.end());
      if (at < 0) {
        lines = 1;
        body = false;
        interrupted = false;
        String before = line.substring(0, begin.start()).strip();
        lead = before.substring(before.lastIndexOf(' ') + 1);
        return plain.toString();
      }
    }
    return plain.append(line, at, line.length()).toString();
  }

  /** The first index after the end of a key; below 0 if there is none. */
  private static int afterEnd(String line, int from) {
    if (line.indexOf(ENDS, from) < 0) {
      return -1;
    }
    Matcher end = END.matcher(line);
    return end.find(from) ? end.end() : -1;
  }

  /** A line without the log's prefix. */
  private String rest(String line) {
    int at = lead.isEmpty() ? -1 : line.indexOf(lead + " ");
    return (at < 0 ? line : line.substring(at + lead.length())).strip();
  }

  private boolean isPart(String rest) {
    if (rest.isEmpty() || (!body && HEADER.matches(rest))) {
      return true;
    }
    boolean expected = body && (!interrupted || !WORD.matches(rest));
    if (!BODY.matches(rest) || !(expected || rest.length() >= MIN_FIRST)) {
      return false;
    }
    body = true;
    return true;
  }
}
