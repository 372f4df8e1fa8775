package io.probelet.monitor.evidence;

import java.time.Duration;
import java.util.List;

/**
 * The result of one part.
 *
 * @param content the collected bytes, possibly none
 * @param why what is missing, and why; empty if complete
 */
@SuppressWarnings("ArrayRecordComponent") // passed on once, never compared
record PartResult(
    EvidencePart part, byte[] content, Duration took, List<String> why, List<String> highlights) {
  /** The completeness of a part. */
  enum Completeness {
    /** All content was collected, within the limits. */
    COMPLETE,
    /** Some content is missing, as the reason says. */
    PARTIAL,
    /** Nothing was collected, for the given reason. */
    MISSING
  }

  Completeness completeness() {
    if (why.isEmpty()) {
      return Completeness.COMPLETE;
    }
    return content.length == 0 ? Completeness.MISSING : Completeness.PARTIAL;
  }
}
