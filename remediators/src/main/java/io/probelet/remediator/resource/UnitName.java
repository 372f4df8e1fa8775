package io.probelet.remediator.resource;

import java.util.regex.Pattern;

/** Names of units of systemd, as may be asked for: whole ones, no patterns and no folders. */
public final class UnitName {
  /** How many units may be named at a time. */
  public static final int MAX_UNITS = 8;

  /** What to say of a name that is none. */
  public static final String RULE =
      "must be the name of a service, socket, mount, path or timer of systemd, such as"
          + " kubelet.service, of no more than 255 characters";

  private static final int MAX_CHARS = 255;
  private static final Pattern NAME =
      Pattern.compile("[A-Za-z0-9_][A-Za-z0-9:_.@\\\\-]*\\.(service|socket|mount|path|timer)");

  private UnitName() {}

  /**
   * Checks a name.
   *
   * @return whether it can be a unit's
   */
  public static boolean isValid(String name) {
    return name.length() <= MAX_CHARS && NAME.matcher(name).matches();
  }
}
