package io.probelet.monitor.evidence;

import java.util.List;

/**
 * Finds where a secret ends that begins at a place in a line: as a text in quotes, which may be
 * escaped as often as logs quote logs, as a list or an object, percent-encoded, or as a bare word.
 * A value without an end is the rest of the line. Each takes time linear to what it skips.
 */
final class SecretValue {
  /** What ends a word, besides blanks, unless more of the word follows. */
  private static final String ENDS = ",;&\"'\\<>";

  /** The most characters of a name that follows a word, as in {@code a=1,name=2}. */
  private static final int MAX_NAME = 64;

  /** What may stand after a word, as of the object it is in. */
  private static final String CLOSING = ")]}";

  private static final List<String> ENTITIES =
      List.of("&quot;", "&apos;", "&#34;", "&#39;", "&#x22;", "&#x27;");

  private SecretValue() {}

  /**
   * Returns the first index after a value.
   *
   * @param encoded whether what stands before it is percent-encoded, so that its end is as well
   */
  static int end(String line, int from, boolean encoded) {
    int quote = escapes(line, from);
    if (quote < line.length() && isQuote(line.charAt(quote))) {
      return afterQuoted(line, quote, quote - from);
    }
    String written = spelled(line, from, quote);
    if (!written.isEmpty()) {
      int close = line.indexOf(written, from + written.length());
      return close < 0 ? line.length() : close + written.length();
    }
    if (from < line.length() && (line.charAt(from) == '[' || line.charAt(from) == '{')) {
      return afterBrackets(line, from);
    }
    String percent = encoded(line, from);
    if (percent.endsWith("22") || percent.endsWith("27")) {
      int close = line.indexOf(percent, from + percent.length());
      return close < 0 ? word(line, from, false) : close + percent.length();
    }
    boolean brackets = percent.endsWith("5B") || percent.endsWith("7B");
    return word(line, from, encoded && !brackets);
  }

  /** A quote that is written as an escape or entity; empty if there is none. */
  private static String spelled(String line, int from, int afterEscapes) {
    if (afterEscapes > from
        && (line.startsWith("u0022", afterEscapes) || line.startsWith("u0027", afterEscapes))) {
      return line.substring(from, afterEscapes + 5);
    }
    for (String entity : ENTITIES) {
      if (line.startsWith(entity, from)) {
        return entity;
      }
    }
    return "";
  }

  private static int escapes(String line, int from) {
    int at = from;
    while (at < line.length() && line.charAt(at) == '\\') {
      at++;
    }
    return at;
  }

  private static boolean isQuote(char c) {
    return c == '"' || c == '\'';
  }

  /**
   * A quote with as many escapes as the first ends it; an escaped escape before it does not count.
   */
  private static int afterQuoted(String line, int quote, int depth) {
    int escapes = 0;
    for (int at = quote + 1; at < line.length(); at++) {
      char c = line.charAt(at);
      if (c == '\\') {
        escapes++;
        continue;
      }
      if (c == line.charAt(quote)
          && (escapes < depth || (escapes - depth) % (2 * (depth + 1)) == 0)) {
        return at + 1;
      }
      escapes = 0;
    }
    return line.length();
  }

  private static int afterBrackets(String line, int from) {
    int depth = 0;
    for (int at = from; at < line.length(); at++) {
      char c = line.charAt(at);
      if (c == '\\' || isQuote(c)) {
        int quote = escapes(line, at);
        if (quote < line.length() && isQuote(line.charAt(quote))) {
          at = afterQuoted(line, quote, quote - at) - 1;
        }
      } else if (c == '[' || c == '{') {
        depth++;
      } else if ((c == ']' || c == '}') && --depth == 0) {
        return at + 1;
      }
    }
    return line.length();
  }

  private static int word(String line, int from, boolean encoded) {
    int at = from;
    while (at < line.length()
        && !Character.isWhitespace(line.charAt(at))
        && (ENDS.indexOf(line.charAt(at)) < 0 || (line.charAt(at) != '\\' && goesOn(line, at + 1)))
        && !(encoded && endsEncoded(line, at))) {
      at++;
    }
    while (at > from && CLOSING.indexOf(line.charAt(at - 1)) >= 0) {
      at--;
    }
    return at;
  }

  /**
   * Whether a word goes on after a character that may be a part of it or its end: letters or digits
   * follow that are not the name of the next value.
   */
  private static boolean goesOn(String line, int from) {
    int at = from;
    while (at < line.length() && at - from < MAX_NAME && isOfName(line.charAt(at))) {
      at++;
    }
    return at > from && (at == line.length() || "=:".indexOf(line.charAt(at)) < 0);
  }

  private static boolean isOfName(char c) {
    return Character.isLetterOrDigit(c) || "_.-".indexOf(c) >= 0;
  }

  /** Whether an encoded {@code &}, quote or line end is there. */
  private static boolean endsEncoded(String line, int at) {
    String percent = encoded(line, at);
    return percent.endsWith("26")
        || percent.endsWith("22")
        || percent.endsWith("27")
        || percent.endsWith("0A")
        || percent.endsWith("0D");
  }

  /** The percent-encoded character that is there, however often encoded; empty if there is none. */
  private static String encoded(String line, int from) {
    if (from >= line.length() || line.charAt(from) != '%') {
      return "";
    }
    int at = from + 1;
    while (line.startsWith("25", at)) {
      at += 2;
    }
    return at + 2 <= line.length()
        ? line.substring(from, at + 2).toUpperCase(java.util.Locale.ROOT)
        : "";
  }
}
