package io.probelet.web.page;

import java.util.Set;

/**
 * Markup that grows. Tags and attribute names are constants; texts and values of attributes may be
 * hostile and are escaped, and links only lead to pages beside this one. Not thread-safe.
 */
public final class Html {
  private static final Set<String> LINKS = Set.of("href", "src", "action", "data-live");

  private final StringBuilder markup = new StringBuilder();

  /** Creates markup without anything in it. */
  public Html() {}

  /** {@return the first line of a whole document} */
  static Html document() {
    Html document = new Html();
    document.markup.append("<!DOCTYPE html>\n");
    return document;
  }

  /**
   * Opens an element.
   *
   * @param attributes names and values in turn; an empty value leaves the bare name
   * @throws IllegalArgumentException if a link is not relative, or a name has no value
   */
  public Html open(String tag, String... attributes) {
    if (attributes.length % 2 != 0) {
      throw new IllegalArgumentException(
          "attribute " + attributes[attributes.length - 1] + " of <" + tag + "> has no value");
    }
    markup.append('<').append(tag);
    for (int i = 0; i < attributes.length; i += 2) {
      attribute(attributes[i], attributes[i + 1]);
    }
    markup.append('>');
    return this;
  }

  private void attribute(String name, String value) {
    if (LINKS.contains(name) && !isRelative(value)) {
      throw new IllegalArgumentException(
          name + " must be relative to the page, found \"" + value + "\"");
    }
    markup.append(' ').append(name);
    if (!value.isEmpty()) {
      markup.append("=\"");
      escape(value);
      markup.append('"');
    }
  }

  /** A page may be served below a prefix that it does not know. */
  private static boolean isRelative(String link) {
    int scheme = link.indexOf(':');
    int rest = firstOf(link, "/?#");
    boolean leaves = link.startsWith("/") || link.startsWith("\\");
    return !leaves && (scheme < 0 || (rest >= 0 && rest < scheme)) && link.strip().equals(link);
  }

  private static int firstOf(String text, String characters) {
    for (int i = 0; i < text.length(); i++) {
      if (characters.indexOf(text.charAt(i)) >= 0) {
        return i;
      }
    }
    return -1;
  }

  /** Closes an element. */
  public Html close(String tag) {
    markup.append("</").append(tag).append('>');
    return this;
  }

  /**
   * Opens a {@code div} that scrolls wide content, also by keyboard.
   *
   * @param name label for screen readers
   */
  public Html openScrolled(String name) {
    return open("div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", name);
  }

  /** Adds an element that has no content, in HTML or in SVG. */
  public Html empty(String tag, String... attributes) {
    open(tag, attributes);
    markup.insert(markup.length() - 1, '/');
    return this;
  }

  /** Adds an element with a text. */
  public Html element(String tag, String text, String... attributes) {
    return open(tag, attributes).text(text).close(tag);
  }

  /**
   * Adds a choice to a list of them.
   *
   * @param chosen whether it is the one chosen
   */
  public Html option(String value, String text, boolean chosen) {
    return chosen
        ? element("option", text, "value", value, "selected", "")
        : element("option", text, "value", value);
  }

  /** Adds a text. */
  public Html text(String text) {
    escape(text);
    return this;
  }

  /**
   * Adds other markup as it is.
   *
   * @param part where it is copied from
   */
  public Html add(Html part) {
    markup.append(part.markup);
    return this;
  }

  /** Control characters show nothing; those of direction would show a text as another one. */
  private void escape(String text) {
    int copied = 0;
    for (int i = 0; i < text.length(); i++) {
      String instead = instead(text.charAt(i));
      if (!instead.isEmpty()) {
        markup.append(text, copied, i).append(instead);
        copied = i + 1;
      }
    }
    markup.append(text, copied, text.length());
  }

  /** Empty for characters that stay. */
  private static String instead(char c) {
    return switch (c) {
      case '&' -> "&amp;";
      case '<' -> "&lt;";
      case '>' -> "&gt;";
      case '"' -> "&quot;";
      case '\'' -> "&#39;";
      case '\n', '\t' -> "";
      default -> hidden(c) ? "\ufffd" : "";
    };
  }

  private static boolean hidden(char c) {
    return Character.isISOControl(c)
        || (c >= '\u202a' && c <= '\u202e')
        || (c >= '\u2066' && c <= '\u2069');
  }

  /** {@return the markup} */
  @Override
  public String toString() {
    return markup.toString();
  }
}
