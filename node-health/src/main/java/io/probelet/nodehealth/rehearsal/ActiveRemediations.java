package io.probelet.nodehealth.rehearsal;

import io.probelet.nodehealth.tape.RecordedRemediation;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The current remediations on a tape, and their nodes. */
final class ActiveRemediations {
  private final Map<String, RecordedRemediation> open = new HashMap<>();
  private final PeakConcurrency atOnce = new PeakConcurrency();

  /** Applies a remediation, and returns its previous state; null for a new one. */
  @Nullable RecordedRemediation put(RecordedRemediation remediation) {
    RecordedRemediation before = open.put(remediation.uid(), remediation);
    if (before == null) {
      atOnce.begins(remediation.node());
    }
    return before;
  }

  void remove(String uid) {
    RecordedRemediation gone = open.remove(uid);
    if (gone != null) {
      atOnce.ends(gone.node());
    }
  }

  boolean has(String node) {
    return atOnce.has(node);
  }

  PeakConcurrency atOnce() {
    return atOnce;
  }
}
