package io.probelet.probe;

import java.nio.file.Path;

/** The trusted certificate authorities of a TLS peer, in PEM. */
public sealed interface CaCertificates {
  /**
   * Longest inline text, in characters: room for about ten certificates, and a node with 250 pods
   * that each bring their own stays within a few MiB.
   */
  int MAX_INLINE_CHARS = 16 * 1024;

  /** Most certificates in an inline text: each costs several KiB once it is parsed. */
  int MAX_INLINE_CERTIFICATES = 10;

  /**
   * A file, read again when it changes. It must be a regular file of at most 1 MiB; otherwise the
   * probe ends with a prober error.
   *
   * @param path where it is
   */
  record InFile(Path path) implements CaCertificates {}

  /**
   * The text itself.
   *
   * @param pem one to {@value #MAX_INLINE_CERTIFICATES} certificates, at most {@value
   *     #MAX_INLINE_CHARS} characters; they are parsed on first use
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

    /** Shows the length and not the content, which would fill log lines. */
    @Override
    public String toString() {
      return "Inline[" + pem.length() + " characters]";
    }
  }
}
