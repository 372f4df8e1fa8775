package io.probelet.remediator.resource;

import io.probelet.health.OneLine;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What a node's agent has kept of the node's state from before the first action, as it stands in
 * the status of an order and of a remediation.
 *
 * @param name of the file on the node, at most {@value #MAX_NAME} letters, digits, dots, dashes and
 *     underscores, of which the first is a letter or a digit; empty if none was kept
 * @param sha256 of the file, at most {@value #MAX_SHA256} hexadecimal digits; may be empty
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

  private static final Pattern FILE_NAME =
      Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0," + (MAX_NAME - 1) + "}");

  private static final Pattern HASH = Pattern.compile("[0-9a-f]{0," + MAX_SHA256 + "}");

  /** ACT-44: whoever has an agent's token writes this, so that a path is no name of a file. */
  public KeptEvidence {
    name = FILE_NAME.matcher(name).matches() ? name : "";
    sha256 = HASH.matcher(sha256).matches() ? sha256 : "";
    bytes = Math.max(0, bytes);
    digest = digest.stream().limit(MAX_LINES).map(line -> OneLine.of(line, MAX_CHARS)).toList();
  }
}
