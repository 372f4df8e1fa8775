package io.probelet.remediator.resource;

import java.util.List;

/**
 * What a node's agent has kept of the node's state from before the first action.
 *
 * @param name of the file on the node
 * @param sha256 of the file, in hexadecimal
 * @param bytes of the file
 * @param digest the lines that matter most, at most {@value #MAX_LINES} of at most {@value
 *     #MAX_CHARS} characters
 */
public record KeptEvidence(String name, String sha256, long bytes, List<String> digest) {
  /** The most lines of a digest; others are left out. */
  public static final int MAX_LINES = 20;

  /** The most characters of a line, and of a name; the rest is left out. */
  public static final int MAX_CHARS = 256;

  /** Cuts what is too long: it comes from a node that is not well. */
  public KeptEvidence {
    name = cut(name);
    sha256 = cut(sha256);
    digest = digest.stream().limit(MAX_LINES).map(KeptEvidence::cut).toList();
  }

  private static String cut(String text) {
    return text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS - 1) + "…";
  }
}
