package io.probelet.nodehealth.rehearsal;

import java.time.Instant;

/** What is counted while a tape is played, for itself alone. Lives on one thread. */
interface Column {
  /** Takes what the tape says next. */
  void take(TapeEvent cue);

  /** Counts up to the tape's end. Nothing is taken after that. */
  RehearsalTotals finish(Instant end);
}
