package io.probelet.probe.engine;

import io.probelet.probe.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The last 60 outcomes of one worker, oldest first; takes no room before the first. */
final class ProbeHistory {
  static final int CAPACITY = 60;
  private static final int LONGEST_TEXT = 256;
  private static final int FIRST_SIZE = 4;

  private ProbeSnapshot.Entry[] ring = new ProbeSnapshot.Entry[0];
  private int next;
  private int size;

  void add(Instant at, Verdict verdict, Duration latency) {
    if (size == ring.length && ring.length < CAPACITY) {
      ring = Arrays.copyOf(ring, Math.min(CAPACITY, Math.max(FIRST_SIZE, 2 * ring.length)));
      next = size;
    }
    ring[next] = new ProbeSnapshot.Entry(at, word(verdict), latency, message(verdict.text()));
    next = (next + 1) % ring.length;
    size = Math.min(size + 1, ring.length);
  }

  List<ProbeSnapshot.Entry> entries() {
    List<ProbeSnapshot.Entry> entries = new ArrayList<>(size);
    for (int back = size; back > 0; back--) {
      entries.add(ring[Math.floorMod(next - back, ring.length)]);
    }
    return entries;
  }

  /** Most targets say the same every time: keep one copy of it, not sixty. */
  private String message(String text) {
    String kept = text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT);
    if (size > 0) {
      String previous = ring[Math.floorMod(next - 1, ring.length)].message();
      if (previous.equals(kept)) {
        return previous;
      }
    }
    return kept;
  }

  private static String word(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Success _ -> "successful";
      case Verdict.Warning _ -> "warning";
      case Verdict.Failure _ -> "failed";
      case Verdict.ProberError _ -> "error";
    };
  }
}
