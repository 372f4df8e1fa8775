package io.probelet.monitor.evidence;

import java.util.List;

/**
 * Finds the end of a secret that begins at an index of a line. The secret may be quoted (with
 * nested escapes, as logs quote logs), a list or an object, percent-encoded, or a bare word. An
 * unterminated value is the rest of the line. The time is linear in the skipped text.
 */
final class SecretValue {
  /** Characters that end a word, besides spaces, unless more of the word follows. */
  private static final String ENDS = ",;&\"'\\<>";

  /** The most characters of a name after a word, as in {@code a=1,name=2}. */
  private static final int MAX_NAME = 64;

  /** Characters that may follow a word, for example of the enclosing object. */
  private static final String CLOSING = ")]}";

  /**
   * Characters that may follow a backslash: escapes of spaces, and of characters that end a word.
   */
  private static final String BLANK_ESCAPES = "nrtf";

  private static final List<String> END_ESCAPES =
      List.of("u0022", "u0027", "u0026", "u003c", "u003e", "u002c", "u003b", "u000a", "u0020");

  /** The beginning of a value with a type, as in YAML. */
  private static final String TAG = "!!";

  /** Quotes as entities; none contains a character with a meaning in patterns. */
  static final List<String> ENTITIES =
      List.of("&quot;", "&apos;", "&#34;", "&#39;", "&#x22;", "&#x27;");

  private SecretValue() {}

  /**
   * Returns the first index after a value.
   *
   * @param encoded whether the text before it is percent-encoded, and therefore its end as well
   */
  static int end(String line, int begin, boolean encoded) {
    int from = afterTag(line, begin);
    int quote = escapes(line, from);
    if (quote < line.length() && isQuote(line.charAt(quote))) {
      return afterJoined(line, quote, quote - from, encoded);
    }
    String written = spelled(line, from, quote);
    if (!written.isEmpty()) {
      return afterSpelled(line, from, written, line.length());
    }
    if (from < line.length() && (line.charAt(from) == '[' || line.charAt(from) == '{')) {
      return afterBrackets(line, from);
    }
    String percent = encoded(line, from);
    if (percent.endsWith("22") || percent.endsWith("27")) {
      return afterSpelled(line, from, percent, word(line, from, false));
    }
    boolean brackets = percent.endsWith("5B") || percent.endsWith("7B");
    return word(line, from, encoded && !brackets);
  }

  /** Skips the type of a value, as in {@code password: !!str x}. */
  private static int afterTag(String line, int from) {
    if (!line.startsWith(TAG, from)) {
      return from;
    }
    int name = from + TAG.length();
    int at = name;
    while (at < line.length() && isOfName(line.charAt(at))) {
      at++;
    }
    int value = at;
    while (value < line.length() && Character.isWhitespace(line.charAt(value))) {
      value++;
    }
    return at > name && value > at && value < line.length() ? value : from;
  }

  /** The quote written as an escape or entity; empty if there is none. */
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

  /** Returns the index after the last of adjacent quoted texts. */
  private static int afterSpelled(String line, int from, String quote, int withoutEnd) {
    int at = from;
    while (line.startsWith(quote, at)) {
      int close = line.indexOf(quote, at + quote.length());
      if (close < 0) {
        return Math.max(at, withoutEnd);
      }
      at = close + quote.length();
    }
    return at;
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
   * A quote with the same number of escapes as the first ends the text; an escaped escape before it
   * does not count.
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

  /**
   * Adjacent quoted texts and words form one value, as in shells: {@code 'it'\''s'}, {@code
   * "a""b"}, {@code 'a'b}. The quote of an enclosing text does not count.
   */
  private static int afterJoined(String line, int first, int depth, boolean encoded) {
    int quote = first;
    while (true) {
      int at = afterQuoted(line, quote, depth);
      int next = escapes(line, at);
      while (next - at > depth && isSame(line, next, quote)) { // an escaped quote between two texts
        at = next + 1;
        next = escapes(line, at);
      }
      boolean quoted = next < line.length() && isQuote(line.charAt(next)) && next - at == depth;
      if (quoted && (isSame(line, next, quote) || wordContinues(line, next + 1))) {
        quote = next;
      } else {
        return isJoined(line, at) ? word(line, at, encoded) : at;
      }
    }
  }

  private static boolean isSame(String line, int at, int quote) {
    return at < line.length() && line.charAt(at) == line.charAt(quote);
  }

  /** Whether a word begins directly after a quoted text. */
  private static boolean isJoined(String line, int at) {
    if (at >= line.length()) {
      return false;
    }
    char c = line.charAt(at);
    return isOfWord(c)
        && (Character.isLetterOrDigit(c) ? wordContinues(line, at) : wordContinues(line, at + 1));
  }

  private static boolean isOfWord(char c) {
    return !Character.isWhitespace(c) && ENDS.indexOf(c) < 0 && CLOSING.indexOf(c) < 0;
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
    int next = from;
    while (next >= 0) {
      at = next;
      next = nextOfWord(line, at, encoded);
    }
    while (at > from && CLOSING.indexOf(line.charAt(at - 1)) >= 0) {
      at--;
    }
    return at;
  }

  /** The index after one character of a word, or after an escape; -1 at the word's end. */
  private static int nextOfWord(String line, int at, boolean encoded) {
    if (at >= line.length()
        || Character.isWhitespace(line.charAt(at))
        || (encoded && endsEncoded(line, at))) {
      return -1;
    }
    if (line.charAt(at) == '\\') {
      return afterEscape(line, escapes(line, at));
    }
    return ENDS.indexOf(line.charAt(at)) < 0 || wordContinues(line, at + 1) ? at + 1 : -1;
  }

  /** The same after backslashes: an escaped character ends a word as the character itself does. */
  private static int afterEscape(String line, int escaped) {
    if (escaped == line.length()) {
      return escaped;
    }
    for (String end : END_ESCAPES) {
      if (line.regionMatches(true, escaped, end, 0, end.length())) {
        int after = escaped + end.length();
        return wordContinues(line, after) ? after : -1;
      }
    }
    char c = line.charAt(escaped);
    boolean ends = isQuote(c) || BLANK_ESCAPES.indexOf(c) >= 0;
    return ends && !wordContinues(line, escaped + 1) ? -1 : escaped + 1;
  }

  /**
   * Whether a word continues after a character that may belong to it or end it: letters or digits
   * follow that are not the name of the next value.
   */
  private static boolean wordContinues(String line, int from) {
    int at = from;
    while (at < line.length() && at - from < MAX_NAME && isOfName(line.charAt(at))) {
      at++;
    }
    return at > from && (at == line.length() || "=:".indexOf(line.charAt(at)) < 0);
  }

  private static boolean isOfName(char c) {
    return Character.isLetterOrDigit(c) || "_.-".indexOf(c) >= 0;
  }

  /** Whether an encoded {@code &}, quote or line end follows. */
  private static boolean endsEncoded(String line, int at) {
    String percent = encoded(line, at);
    return percent.endsWith("26")
        || percent.endsWith("22")
        || percent.endsWith("27")
        || percent.endsWith("0A")
        || percent.endsWith("0D");
  }

  /**
   * The percent-encoded character at this index, also if encoded repeatedly; empty if there is
   * none.
   */
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
