package io.probelet.nodehealth.rehearsal;

import io.probelet.nodehealth.tape.RecordedRemediation;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The remediations that a tape has at a time, and which nodes they are for. */
final class ActiveRemediations {
  private final Map<String, RecordedRemediation> open = new HashMap<>();
  private final PeakConcurrency atOnce = new PeakConcurrency();

  /** Takes a remediation as it is now, and returns what it was; null for a new one. */
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
