package io.probelet.health.tls;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Compares domain names with constraints. */
final class DomainNames {
  private static final char FIRST_PRINTABLE = 33;
  private static final char LAST_PRINTABLE = 126;

  private DomainNames() {}

  /** {@return whether it is a name with which a constraint may be, or be compared} */
  static boolean valid(String name, boolean constraint) {
    if (name.isEmpty()) {
      return true;
    }
    int from = constraint && name.charAt(0) == '.' ? 1 : 0;
    char before = '.';
    for (int i = from; i < name.length(); i++) {
      char each = name.charAt(i);
      if (each < FIRST_PRINTABLE || each > LAST_PRINTABLE || (each == '.' && before == '.')) {
        return false;
      }
      before = each;
    }
    return before != '.';
  }

  /** {@return whether a name is a constraint's domain or below it; with a leading dot, below it} */
  static boolean within(String constraint, String name) {
    int labels = name.length() - constraint.length();
    return constraint.isEmpty()
        || (labels >= 0
            && name.regionMatches(true, labels, constraint, 0, constraint.length())
            && (labels == 0 || constraint.charAt(0) == '.' || name.charAt(labels - 1) == '.'));
  }

  /** {@return whether a name is excluded: also a pattern that matches an excluded name} */
  static boolean excluded(String constraint, String name) {
    if (within(constraint, name)) {
      return true;
    }
    String siblings = parent(constraint);
    return name.startsWith("*") && siblings != null && siblings.equalsIgnoreCase(parent(name));
  }

  /** {@return the name without its first label; null if it has one label only} */
  private static @Nullable String parent(String name) {
    int dot = name.indexOf('.');
    return dot < 0 ? null : name.substring(dot);
  }

  static String lowerCase(String name) {
    return name.toLowerCase(Locale.ROOT);
  }
}
