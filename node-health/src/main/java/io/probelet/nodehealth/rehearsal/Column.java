package io.probelet.nodehealth.rehearsal;

import java.time.Instant;

/** What is counted while a tape is played, for itself alone. Lives on one thread. */
interface Column {
  /** Takes what the tape says next. */
  void take(Cue cue);

  /** Counts up to the tape's end. Nothing is taken after that. */
  Tally finish(Instant end);
}
