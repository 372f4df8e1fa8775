package io.probelet.nodehealth.rehearsal;

import java.time.Instant;

/** One column of a rehearsal, which counts while a tape is played. Used by one thread. */
interface Column {
  /** Applies the next event of the tape. */
  void take(TapeEvent cue);

  /** Counts up to the tape's end. No event follows. */
  RehearsalTotals finish(Instant end);
}
