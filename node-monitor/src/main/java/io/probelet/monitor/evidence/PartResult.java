package io.probelet.monitor.evidence;

import java.time.Duration;
import java.util.List;

/**
 * What one part came to.
 *
 * @param content what was read, possibly nothing
 * @param why what is missing of it, and why; empty if nothing is
 */
@SuppressWarnings("ArrayRecordComponent") // handed on once, never compared
record PartResult(
    EvidencePart part, byte[] content, Duration took, List<String> why, List<String> highlights) {
  /** How much of a part there is. */
  enum Completeness {
    /** All that was there, within its bounds. */
    COMPLETE,
    /** Something; the reason says what is missing. */
    PARTIAL,
    /** Nothing, for the reason given. */
    MISSING
  }

  Completeness completeness() {
    if (why.isEmpty()) {
      return Completeness.COMPLETE;
    }
    return content.length == 0 ? Completeness.MISSING : Completeness.PARTIAL;
  }
}
