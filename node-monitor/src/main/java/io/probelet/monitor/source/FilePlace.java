package io.probelet.monitor.source;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The read position of a file, written as {@code DEVICE:INODE@OFFSET#BYTES}.
 *
 * @param key the identity of the file, independent of its name
 * @param offset the start of the first unread line
 * @param before the known bytes before that position, each as a character: different bytes show
 *     that the file was truncated and rewritten
 */
record FilePlace(String key, long offset, String before) {
  /** The position in a file that did not exist: once it does, all of it is new. */
  static final FilePlace ABSENT = new FilePlace("none", 0, "");

  private static final Pattern TEXT =
      Pattern.compile("(-?[0-9]+:-?[0-9]+|none)@([0-9]{1,18})(?:#([A-Za-z0-9_-]*))?");

  /** Any other text means no position. */
  static FilePlace parse(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      return ABSENT;
    }
    String bytes = parts.group(3);
    return new FilePlace(
        parts.group(1), Long.parseLong(parts.group(2)), bytes == null ? "" : decoded(bytes));
  }

  private static String decoded(String bytes) {
    try {
      return new String(Base64.getUrlDecoder().decode(bytes), ISO_8859_1);
    } catch (IllegalArgumentException damaged) { // the state file was edited
      return "";
    }
  }

  boolean isAbsent() {
    return key.equals(ABSENT.key);
  }

  @Override
  public String toString() {
    String bytes =
        Base64.getUrlEncoder().withoutPadding().encodeToString(before.getBytes(ISO_8859_1));
    return key + "@" + offset + (bytes.isEmpty() ? "" : "#" + bytes);
  }
}
