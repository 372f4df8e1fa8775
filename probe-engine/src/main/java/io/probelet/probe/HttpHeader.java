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

  /** What stands behind the colon. No text form shows it, since it may be a secret. */
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
   * A value that is read from a file when it is needed, and again when the file has changed: a
   * bearer token that someone renews, say.
   *
   * @param prefix sent before the content, such as {@code "Bearer "}; may be empty
   * @param file regular and at most 16 KiB of UTF-8; white space around its content is not sent
   */
  public record FromFile(String prefix, Path file) implements Value {
    @Override
    public String toString() {
      return "FromFile[" + file + "]";
    }
  }
}
