package io.probelet.nodehealth.tape;

import java.time.Instant;

/**
 * A tape's first line.
 *
 * @param start the start of the tape; no line is earlier
 * @param cluster the cluster's name for users; possibly empty
 * @param source the source of the recording, such as {@code kubernetes} or {@code prometheus};
 *     possibly empty
 */
public record TapeHeader(Instant start, String cluster, String source) {
  /** The supported version of the format. */
  public static final int VERSION = 1;
}
