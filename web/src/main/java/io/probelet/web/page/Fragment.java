package io.probelet.web.page;

import java.util.function.Supplier;

/**
 * One element of a live page, which is sent again when its version has changed.
 *
 * @param key the element's id, unique on the page, without white space
 * @param version compared by equals with what was sent last; has a hash code to match
 * @param html makes the element with that id; asked only when it is sent
 * @param announce called before the first of all elements that are about to be made, so that what
 *     they need can be had at once
 */
public record Fragment(String key, Object version, Supplier<Html> html, Runnable announce) {
  private static final int MAX_KEY_LENGTH = 1_024;

  /** Rejects a key that is no id. */
  public Fragment {
    if (key.isEmpty() || key.length() > MAX_KEY_LENGTH || hasSpace(key)) {
      throw new IllegalArgumentException(
          "a fragment's key has 1 to "
              + MAX_KEY_LENGTH
              + " characters and no white space, found \""
              + key
              + "\"");
    }
  }

  /**
   * Creates a fragment that needs nothing but what it has.
   *
   * @param key the element's id, unique on the page, without white space
   * @param version compared by equals with what was sent last; has a hash code to match
   * @param html makes the element with that id; asked only when it is sent
   */
  public Fragment(String key, Object version, Supplier<Html> html) {
    this(key, version, html, () -> {});
  }

  private static boolean hasSpace(String key) {
    for (int i = 0; i < key.length(); i++) {
      if (key.charAt(i) <= ' ' || Character.isISOControl(key.charAt(i))) {
        return true;
      }
    }
    return false;
  }

  /** {@return a short text that is another one for another version, but for rare luck} */
  String tag() {
    return Integer.toHexString(version.hashCode());
  }
}
