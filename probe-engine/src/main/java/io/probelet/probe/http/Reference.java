package io.probelet.probe.http;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A URL reference taken apart as Go does it, which accepts more than the standard.
 *
 * @param scheme in lower case, null if there is none
 * @param authority user, host and port as written, null if there is none
 * @param opaque whether a scheme is followed by neither authority nor absolute path
 * @param path as written, possibly empty
 * @param query as written, null if there is no question mark
 */
record Reference(
    @Nullable String scheme,
    @Nullable String authority,
    boolean opaque,
    String path,
    @Nullable String query) {

  /** Parses a reference; null if even Go finds none in it. */
  static @Nullable Reference parse(String text) {
    if (hasControlCharacter(text)) {
      return null;
    }
    int hash = text.indexOf('#');
    if (hash >= 0 && !UrlText.validEscapes(text.substring(hash + 1))) {
      return null;
    }
    String rest = hash >= 0 ? text.substring(0, hash) : text;

    int colon = schemeEnd(rest);
    if (colon == 0) {
      return null; // a scheme is missing
    }
    String scheme = colon < 0 ? null : rest.substring(0, colon).toLowerCase(Locale.ROOT);
    rest = rest.substring(colon + 1);

    int question = rest.indexOf('?');
    String query = question < 0 ? null : rest.substring(question + 1);
    rest = question < 0 ? rest : rest.substring(0, question);

    if (!rest.startsWith("/")) {
      if (scheme != null) {
        return new Reference(scheme, null, true, rest, query);
      }
      int slash = rest.indexOf('/');
      if ((slash < 0 ? rest : rest.substring(0, slash)).indexOf(':') >= 0) {
        return null; // could be taken for a scheme
      }
    }
    String authority = null;
    if (rest.startsWith("//") && (scheme != null || !rest.startsWith("///"))) {
      int slash = rest.indexOf('/', 2);
      authority = slash < 0 ? rest.substring(2) : rest.substring(2, slash);
      rest = slash < 0 ? "" : rest.substring(slash);
      if (Authority.parse(authority) == null) {
        return null;
      }
    }
    return UrlText.validEscapes(rest) ? new Reference(scheme, authority, false, rest, query) : null;
  }

  /** The colon behind a scheme; 0 if nothing stands before it, -1 if there is no scheme. */
  private static int schemeEnd(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (letter || (i > 0 && ((c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.'))) {
        continue;
      }
      return c == ':' ? i : -1;
    }
    return -1;
  }

  private static boolean hasControlCharacter(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c == 0x7f) {
        return true;
      }
    }
    return false;
  }
}
