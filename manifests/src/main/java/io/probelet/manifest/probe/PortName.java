package io.probelet.manifest.probe;

import java.util.ArrayList;
import java.util.List;

/** The rules for names and numbers of ports (P-11). */
public final class PortName {
  /** The rule for numbers. */
  public static final String NUMBER_RULE = "must be between 1 and 65535, inclusive";

  private static final int LONGEST = 15;

  private PortName() {}

  /**
   * {@return whether a number can be a port}
   *
   * @param number any number
   */
  public static boolean isValidNumber(long number) {
    return number >= 1 && number <= 65_535;
  }

  /**
   * {@return each rule that a name breaks, none when it is good}
   *
   * @param name any text
   */
  public static List<String> brokenRules(String name) {
    List<String> broken = new ArrayList<>();
    if (name.length() > LONGEST) {
      broken.add("must be no more than " + LONGEST + " characters");
    }
    if (name.isEmpty() || !name.chars().allMatch(PortName::isAllowed)) {
      broken.add("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
    }
    if (name.chars().noneMatch(PortName::isLetter)) {
      broken.add("must contain at least one letter (a-z)");
    }
    if (name.contains("--")) {
      broken.add("must not contain consecutive hyphens");
    }
    if (name.startsWith("-") || name.endsWith("-")) {
      broken.add("must not begin or end with a hyphen");
    }
    return broken;
  }

  private static boolean isLetter(int c) {
    return c >= 'a' && c <= 'z';
  }

  private static boolean isAllowed(int c) {
    return isLetter(c) || (c >= '0' && c <= '9') || c == '-';
  }
}
