package io.probelet.health.tls;

import org.jspecify.annotations.Nullable;

/**
 * A mailbox (RFC 2821, 4.1.2).
 *
 * @param local before the @, without quotes
 * @param domain behind it, in lower case
 */
record Mailbox(String local, String domain) {
  private static final String ATOM = "!#$%&'*+-/=?^_`{|}~.";

  /** {@return the mailbox in the text; null if invalid} */
  static @Nullable Mailbox parse(String text) {
    StringBuilder local = new StringBuilder();
    int at = text.startsWith("\"") ? quoted(text, local) : plain(text, local);
    if (at < 0 || at >= text.length() || text.charAt(at) != '@') {
      return null;
    }
    String domain = text.substring(at + 1);
    return !domain.isEmpty() && !DomainNames.valid(domain, false)
        ? null
        : new Mailbox(local.toString(), DomainNames.lowerCase(domain));
  }

  /** {@return where a local part in quotes ends; below zero if it does not} */
  private static int quoted(String text, StringBuilder local) {
    for (int i = 1; i < text.length(); i++) {
      char each = text.charAt(i);
      if (each == '"') {
        return i + 1;
      }
      if (each == '\\' && ++i == text.length()) {
        return -1;
      }
      char meant = text.charAt(i);
      if (meant == 0 || meant == '\n' || meant == '\r' || meant > 0x7f) {
        return -1;
      }
      local.append(meant);
    }
    return -1;
  }

  /** {@return where a local part without quotes ends; below zero if it is none} */
  private static int plain(String text, StringBuilder local) {
    int at = 0;
    while (at < text.length()) {
      char each = text.charAt(at);
      if (each == '\\' && ++at == text.length()) {
        return -1;
      }
      if (each != '\\' && !isAtom(each)) {
        break;
      }
      local.append(text.charAt(at++));
    }
    boolean dots =
        local.isEmpty()
            || local.charAt(0) == '.'
            || local.charAt(local.length() - 1) == '.'
            || local.indexOf("..") >= 0;
    return dots ? -1 : at;
  }

  private static boolean isAtom(char each) {
    return ('0' <= each && each <= '9')
        || ('a' <= each && each <= 'z')
        || ('A' <= each && each <= 'Z')
        || ATOM.indexOf(each) >= 0;
  }
}
