package io.probelet.monitor.rule;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.List;
import java.util.OptionalInt;

/**
 * An expression over the newest lines of a log. It is matched in time linear to the text, and
 * must match up to the end of the newest line.
 *
 * @param source as the file has it
 * @param compiled with {@code \z} appended, not grouped: in {@code a|b} only {@code b} is bound to
 *     the end, as in node-problem-detector
 * @param scope how much of the log it has to see
 */
public record LinePattern(String source, Pattern compiled, PatternScope scope) {
  /** The group that holds the name of the device a line is about. */
  static final String DEVICE = "device";

  private static final int LONGEST = 4096;

  /**
   * Compiles an expression.
   *
   * @param source in RE2 syntax
   * @return the pattern
   * @throws IllegalArgumentException if it is none; the message is for the user
   */
  public static LinePattern parse(String source) {
    if (source.length() > LONGEST) {
      throw new IllegalArgumentException("is longer than the " + LONGEST + " characters allowed");
    }
    Pattern _ = expression(source); // alone, so that a complaint quotes what the user wrote
    return new LinePattern(source, expression(source + "\\z"), PatternScope.of(source));
  }

  /**
   * Compiles an expression over any text.
   *
   * @param source in RE2 syntax
   * @return the pattern
   * @throws IllegalArgumentException if it is none; the message is for the user
   */
  public static Pattern expression(String source) {
    try {
      return Pattern.compile(source);
    } catch (PatternSyntaxException malformed) {
      throw new IllegalArgumentException(
          "is no regular expression in RE2 syntax: " + malformed.getMessage(), malformed);
    }
  }

  /**
   * Searches for a match.
   *
   * @param text the newest line, or the newest lines joined by newlines
   * @return where the match begins
   */
  public OptionalInt find(String text) {
    Matcher matcher = compiled.matcher(text);
    return matcher.find() ? OptionalInt.of(matcher.start()) : OptionalInt.empty();
  }

  /** {@return whether it has a group of the name {@value #DEVICE}} */
  public boolean namesDevice() {
    return compiled.namedGroups().containsKey(DEVICE);
  }

  /**
   * Finds the device a match is about (B-15).
   *
   * @param text what {@link #find} was given
   * @return what the group {@value #DEVICE} matched; empty if there is no such group, it took no
   *     part in the match, or holds more than a device's name
   */
  public String device(String text) {
    if (!namesDevice()) {
      return "";
    }
    Matcher matcher = compiled.matcher(text);
    String device = matcher.find() ? matcher.group(DEVICE) : null;
    return device == null || device.length() > KernelDevice.MAX_NAME ? "" : device;
  }

  /** {@return texts of which every match contains one; empty if that is not known} */
  public List<String> literals() {
    return scope.literals();
  }
}
