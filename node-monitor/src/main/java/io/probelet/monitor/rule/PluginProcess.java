package io.probelet.monitor.rule;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The user that the plugins of a file run as, and the variables they see. Plugins never gain rights
 * by running other programs.
 *
 * @param user a name, {@code UID} or {@code UID:GID}; empty for the user of this program
 * @param env additional variables with their values
 * @param passEnv names of this process's variables that they also see
 */
public record PluginProcess(String user, Map<String, String> env, List<String> passEnv) {
  /** The default. */
  public static final PluginProcess DEFAULT = new PluginProcess("", Map.of(), List.of());

  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");
  private static final Pattern USER = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,63}");

  private static final Pattern NUMBERS = Pattern.compile("[0-9]{1,10}(:[0-9]{1,10})?");

  /** The next number means no user. */
  private static final long GREATEST_NUMBER = 0xFFFF_FFFEL;

  /** Keeps unmodifiable copies of the collections. */
  public PluginProcess {
    env = Map.copyOf(env);
    passEnv = List.copyOf(passEnv);
  }

  /** {@return whether this is a valid variable name} */
  static boolean isVariable(String name) {
    return VARIABLE.matcher(name).matches();
  }

  /**
   * Reads a user.
   *
   * @throws IllegalArgumentException if it is neither a name nor numeric IDs
   */
  static String parseUser(String text) {
    if (!USER.matcher(text).matches() && !areNumbers(text)) {
      throw new IllegalArgumentException(
          "must be a user's name, or numbers such as 65534 or 65534:65534");
    }
    return text;
  }

  private static boolean areNumbers(String text) {
    return NUMBERS.matcher(text).matches()
        && Pattern.compile(":").splitAsStream(text).mapToLong(Long::parseLong).max().orElse(0)
            <= GREATEST_NUMBER;
  }
}
