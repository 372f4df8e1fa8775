package io.probelet.probe;

import java.nio.file.Path;

/**
 * One request header (H-2).
 *
 * @param name HTTP token characters only (P-12)
 * @param value what is sent
 */
public record HttpHeader(String name, Value value) {
  /**
   * A header with a value that is known.
   *
   * @param name HTTP token characters only (P-12)
   * @param text sent as given; may be empty, which for User-Agent and Accept means: send none
   */
  public HttpHeader(String name, String text) {
    this(name, new Literal(text));
  }

  /** The value of a header. It may be a secret, so {@code toString} does not show it. */
  public sealed interface Value {}

  /**
   * A value as it is sent.
   *
   * @param text may be empty
   */
  public record Literal(String text) implements Value {
    @Override
    public String toString() {
      return "Literal[" + text.length() + " characters]";
    }
  }

  /**
   * A value read from a file, and read again when the file changes, such as a rotated bearer token.
   *
   * @param prefix sent before the content, such as {@code "Bearer "}; may be empty
   * @param file regular file of at most 16 KiB of UTF-8; surrounding white space is removed
   */
  public record FromFile(String prefix, Path file) implements Value {
    @Override
    public String toString() {
      return "FromFile[" + file + "]";
    }
  }
}
