package io.probelet.remediator.resource;

import java.util.regex.Pattern;

/** What the kernel calls a boot, as Nodes, orders and statuses have it. */
public final class BootId {
  /** The most characters of one. */
  public static final int MAX_CHARS = 64;

  private static final Pattern ID = Pattern.compile("[0-9A-Za-z-]{1," + MAX_CHARS + "}");

  private BootId() {}

  /** {@return whether a text can be the id of a boot} */
  public static boolean isValid(String text) {
    return ID.matcher(text).matches();
  }

  /** {@return the text, or an empty one if it cannot be the id of a boot} */
  public static String orEmpty(String text) {
    return isValid(text) ? text : "";
  }
}
