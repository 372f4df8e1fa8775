package io.probelet.monitor.source;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How far a file has been read, written {@code DEVICE:INODE@OFFSET#BYTES}.
 *
 * @param key what stays the same for as long as the file exists, under whichever name
 * @param offset where the first line begins that has not been read
 * @param before the bytes before that place, each as a character, as far as they are known: other
 *     ones show that the file was emptied and filled again
 */
record FilePlace(String key, long offset, String before) {
  /** The place in a file that was not there: once it is, all of it is new. */
  static final FilePlace ABSENT = new FilePlace("none", 0, "");

  private static final Pattern TEXT =
      Pattern.compile("(-?[0-9]+:-?[0-9]+|none)@([0-9]{1,18})(?:#([A-Za-z0-9_-]*))?");

  /** What is written otherwise is the place in no file. */
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
    } catch (IllegalArgumentException damaged) { // by whoever wrote to the state file
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
