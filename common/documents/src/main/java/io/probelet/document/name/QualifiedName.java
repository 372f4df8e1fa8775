package io.probelet.document.name;

import java.util.regex.Pattern;

/**
 * Names with an optional prefix, such as {@code example.com/name}: keys of labels and annotations,
 * types of conditions.
 */
public final class QualifiedName {
  /** The rule for a name. */
  public static final String RULE =
      "must be a name of at most 63 letters, digits, '-', '_' and '.', beginning and ending with a"
          + " letter or digit, with an optional DNS name and '/' before it";

  private static final int MAX_NAME = 63;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");

  private QualifiedName() {}

  /**
   * {@return whether a name is valid}
   *
   * @param name any text
   */
  public static boolean isValid(String name) {
    int slash = name.indexOf('/');
    return isUnprefixed(name.substring(slash + 1))
        && (slash < 0 || DnsName.SUBDOMAIN.matches(name.substring(0, slash)));
  }

  static boolean isUnprefixed(String name) {
    return name.length() <= MAX_NAME && NAME.matcher(name).matches();
  }
}
