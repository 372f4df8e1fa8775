package io.probelet.probe.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Escapes, unescapes and resolves the texts of URLs. Each char is one byte: a Location is bytes in
 * no encoding that anyone has agreed on.
 */
final class UrlText {
  /** What Go leaves as it is in a path it escapes, beside letters and digits. */
  private static final String PLAIN = "-_.~$&+,/:;=@";

  /** What Go tolerates, in addition, in a path that came escaped. */
  private static final String TOLERATED = PLAIN + "!'()*[]%";

  private static final char[] HEX = "0123456789ABCDEF".toCharArray();

  private UrlText() {}

  /** A text as its UTF-8 bytes, one char each. */
  static String bytes(String text) {
    boolean ascii = true;
    for (int i = 0; i < text.length() && ascii; i++) {
      ascii = text.charAt(i) < 0x80;
    }
    return ascii
        ? text
        : new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }

  /** Whether a text is a path and nothing else, and goes on the wire as it is. */
  static boolean isPlainPath(String text) {
    return text.startsWith("/") && !text.startsWith("//") && onlyOf(text, "/-_.");
  }

  /** Whether each percent sign begins an escape. */
  static boolean validEscapes(String text) {
    for (int i = text.indexOf('%'); i >= 0; i = text.indexOf('%', i + 3)) {
      if (i + 2 >= text.length() || hex(text, i + 1) < 0 || hex(text, i + 2) < 0) {
        return false;
      }
    }
    return true;
  }

  /** A path with valid escapes as it goes on the wire: untouched if it can, else escaped anew. */
  static String escapedPath(String path) {
    return onlyOf(path, TOLERATED) ? path : escape(unescape(path));
  }

  /** Escapes a text that is no URL so that it can be sent as a path (H-1). */
  static String escape(String text) {
    return escape(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  /** A query as it was written, but for what would end a request line. */
  static String wireQuery(String query) {
    if (query.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      return query;
    }
    StringBuilder wire = new StringBuilder(query.length() + 16);
    for (byte b : query.getBytes(StandardCharsets.ISO_8859_1)) {
      append(wire, b, b > ' ' && b < 0x7f);
    }
    return wire.toString();
  }

  /** Resolves a path against another and removes its dot segments. */
  static String resolvePath(String base, String path) {
    String full;
    if (path.isEmpty()) {
      full = base;
    } else if (path.startsWith("/")) {
      full = path;
    } else {
      full = base.substring(0, base.lastIndexOf('/') + 1) + path;
    }
    Deque<String> kept = new ArrayDeque<>();
    String last = "";
    for (String segment : full.substring(full.startsWith("/") ? 1 : 0).split("/", -1)) {
      last = segment;
      if (segment.equals("..")) {
        kept.pollLast();
      } else if (!segment.equals(".")) {
        kept.addLast(segment);
      }
    }
    boolean directory = last.equals(".") || last.equals("..");
    return "/" + String.join("/", kept) + (directory && !kept.isEmpty() ? "/" : "");
  }

  private static String escape(byte[] bytes) {
    StringBuilder escaped = new StringBuilder(bytes.length + 16);
    for (byte b : bytes) {
      append(escaped, b, isOneOf((char) (b & 0xff), PLAIN));
    }
    return escaped.toString();
  }

  private static void append(StringBuilder text, byte b, boolean plain) {
    if (plain) {
      text.append((char) b);
    } else {
      text.append('%').append(HEX[(b >> 4) & 0xf]).append(HEX[b & 0xf]);
    }
  }

  /** What stands behind the escapes of a text that has only valid ones. */
  static byte[] unescape(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    ByteArrayOutputStream plain = new ByteArrayOutputStream(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '%') {
        plain.write(Character.digit(bytes[i + 1], 16) << 4 | Character.digit(bytes[i + 2], 16));
        i += 2;
      } else {
        plain.write(bytes[i]);
      }
    }
    return plain.toByteArray();
  }

  /** Whether a text is made of letters, digits and some others. */
  static boolean onlyOf(String text, String others) {
    for (int i = 0; i < text.length(); i++) {
      if (!isOneOf(text.charAt(i), others)) {
        return false;
      }
    }
    return true;
  }

  private static boolean isOneOf(char c, String others) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || others.indexOf(c) >= 0;
  }

  private static int hex(String text, int at) {
    char c = text.charAt(at);
    return c < 0x80 ? Character.digit(c, 16) : -1;
  }
}
