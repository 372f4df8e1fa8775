package io.probelet.probe;

import java.nio.file.Path;

/** The certificates of the authorities that a TLS peer may be signed by, in PEM. */
public sealed interface CaCertificates {
  /**
   * Longest inline text, in characters: room for about ten certificates, and a node with 250 pods
   * that each bring their own stays within a few MiB.
   */
  int MAX_INLINE_CHARS = 16 * 1024;

  /** Most certificates in an inline text: each costs several KiB once it is parsed. */
  int MAX_INLINE_CERTIFICATES = 10;

  /**
   * A file, read again when it has changed; regular and no larger than 1 MiB, or the probe cannot
   * be carried out.
   *
   * @param path where it is
   */
  record InFile(Path path) implements CaCertificates {}

  /**
   * The text itself.
   *
   * @param pem one to {@value #MAX_INLINE_CERTIFICATES} certificates, no more than {@value
   *     #MAX_INLINE_CHARS} characters; whether they can be parsed shows when they are used
   */
  record Inline(String pem) implements CaCertificates {
    private static final String BEGIN = "-----BEGIN CERTIFICATE-----";

    /** Rejects a text that is too long, or holds no certificate or too many of them. */
    public Inline {
      if (pem.length() > MAX_INLINE_CHARS) {
        throw new IllegalArgumentException(
            "must have at most " + MAX_INLINE_CHARS + " characters of PEM, found " + pem.length());
      }
      int found = count(pem);
      if (found == 0) {
        throw new IllegalArgumentException(
            "must hold PEM certificates, found no \"" + BEGIN + "\"");
      }
      if (found > MAX_INLINE_CERTIFICATES) {
        throw new IllegalArgumentException(
            "must hold at most " + MAX_INLINE_CERTIFICATES + " certificates, found " + found);
      }
    }

    private static int count(String pem) {
      int found = 0;
      for (int at = pem.indexOf(BEGIN); at >= 0; at = pem.indexOf(BEGIN, at + BEGIN.length())) {
        found++;
      }
      return found;
    }

    /** Says how long the text is and not what it holds: it would fill lines of a log. */
    @Override
    public String toString() {
      return "Inline[" + pem.length() + " characters]";
    }
  }
}
