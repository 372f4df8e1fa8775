package io.probelet.remediator.resource;

import io.probelet.health.ShortText;
import java.util.List;

/**
 * What a node's agent has kept of the node's state from before the first action, as it stands in
 * the status of an order and of a remediation.
 *
 * @param name of the file on the node, at most {@value #MAX_NAME} characters; empty if none was
 *     kept
 * @param sha256 of the file, in hexadecimal, at most {@value #MAX_SHA256} characters
 * @param bytes of the file, 0 or more
 * @param digest the lines that matter most, at most {@value #MAX_LINES} of at most {@value
 *     #MAX_CHARS} characters
 */
public record KeptEvidence(String name, String sha256, long bytes, List<String> digest) {
  /** The most lines of a digest; others are left out. */
  public static final int MAX_LINES = 20;

  /** The most characters of a line; the rest is left out. */
  public static final int MAX_CHARS = 256;

  /** The most characters of a name, as of a file's. */
  public static final int MAX_NAME = 255;

  /** The most characters of a hash. */
  public static final int MAX_SHA256 = 64;

  /** Cuts what is too long: it comes from a node that is not well. */
  public KeptEvidence {
    name = cut(name, MAX_NAME);
    sha256 = cut(sha256, MAX_SHA256);
    bytes = Math.max(0, bytes);
    digest = digest.stream().limit(MAX_LINES).map(line -> cut(line, MAX_CHARS)).toList();
  }

  private static String cut(String text, int most) {
    return ShortText.of(text, most);
  }
}
