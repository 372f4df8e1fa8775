package io.probelet.nodehealth.tape;

import java.time.Instant;

/**
 * A tape's first line.
 *
 * @param start when the tape begins; no line is of before
 * @param cluster what its users call the cluster; possibly empty
 * @param source what the tape was made from, such as {@code kubernetes} or {@code prometheus};
 *     possibly empty
 */
public record TapeHeader(Instant start, String cluster, String source) {
  /** The version of the format that is read and written. */
  public static final int VERSION = 1;
}
