package io.probelet.remediator.order;

import java.util.List;

/**
 * The bundle of evidence that a node has collected and keeps.
 *
 * @param name of its file on the node
 * @param sha256 of the file, in hexadecimal; empty if it is not known
 * @param bytes its size
 * @param digest what it comes to, in lines
 */
public record OrderEvidence(String name, String sha256, long bytes, List<String> digest) {
  /** The most lines of a digest. */
  public static final int MAX_LINES = 20;

  private static final int MAX_NAME = 255;
  private static final int MAX_LINE = 256;

  /** Keeps as much of the texts as is within bounds. */
  public OrderEvidence {
    name = cut(name, MAX_NAME);
    sha256 = cut(sha256, 64);
    bytes = Math.max(0, bytes);
    digest = digest.stream().limit(MAX_LINES).map(line -> cut(line, MAX_LINE)).toList();
  }

  private static String cut(String text, int most) {
    return text.length() <= most ? text : text.substring(0, most - 1) + "…";
  }
}
