package io.probelet.remediator.order;

import java.util.regex.Pattern;

/** Names of units of systemd, as orders may have them: whole ones, no patterns and no paths. */
public final class UnitName {
  /** How many units one order may name. */
  public static final int MAX_UNITS = 8;

  /** What a name may look like, also for the schema in the API. */
  public static final String PATTERN =
      "^[A-Za-z0-9:_.@\\\\-]{1,200}\\.(service|socket|target|mount|timer|path|slice|scope)$";

  /** What to say of a name that is none. */
  public static final String RULE =
      "must be the name of a unit of systemd with its type, such as kubelet.service";

  private static final Pattern NAME = Pattern.compile(PATTERN);

  private UnitName() {}

  /**
   * Checks a name.
   *
   * @param name what a stranger wrote
   * @return whether it can be a unit's
   */
  public static boolean isValid(String name) {
    return NAME.matcher(name).matches();
  }
}
