package io.probelet.probe.engine;

import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeTimings;
import io.probelet.probe.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The last 60 outcomes of one worker, oldest first. Kept as plain arrays that grow as they fill,
 * because a node has thousands of workers and most of what they remember is never read.
 */
final class ProbeHistory {
  static final int CAPACITY = 60;
  private static final int LONGEST_TEXT = 256;
  private static final int FIRST_SIZE = 4;

  private long[] atMillis = new long[0];
  private int[] latencyMicros = new int[0];
  private ProbeSnapshot.Outcome[] outcomes = new ProbeSnapshot.Outcome[0];
  private String[] messages = new String[0];

  /** Null as long as no outcome had phases: commands have none. */
  private @Nullable PhaseHistory phases;

  private int next;
  private int size;

  void add(Instant at, ProbeOutcome outcome, Duration latency) {
    Verdict verdict = outcome.verdict();
    if (size == messages.length && size < CAPACITY) {
      grow(Math.min(CAPACITY, Math.max(FIRST_SIZE, 2 * size)));
    }
    String message = message(verdict.text());
    atMillis[next] = at.toEpochMilli();
    latencyMicros[next] =
        (int) Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMicros(latency.toNanos()));
    outcomes[next] = ProbeSnapshot.Outcome.of(verdict);
    messages[next] = message;
    addPhases(outcome.timings());
    next = (next + 1) % messages.length;
    size = Math.min(size + 1, messages.length);
  }

  private void addPhases(ProbeTimings timings) {
    PhaseHistory known = phases;
    if (known == null && PhaseHistory.has(timings)) {
      known = new PhaseHistory();
      phases = known;
    }
    if (known != null) { // also where it had none: the slot may hold those of an older one
      known.set(next, messages.length, timings);
    }
  }

  List<ProbeSnapshot.Entry> newest(int wanted) {
    List<ProbeSnapshot.Entry> entries = new ArrayList<>(Math.min(size, wanted));
    for (int back = Math.min(size, wanted); back > 0; back--) {
      int slot = Math.floorMod(next - back, messages.length);
      entries.add(
          new ProbeSnapshot.Entry(
              Instant.ofEpochMilli(atMillis[slot]),
              outcomes[slot],
              Duration.of(latencyMicros[slot], java.time.temporal.ChronoUnit.MICROS),
              messages[slot],
              phases == null ? null : phases.get(slot)));
    }
    return entries;
  }

  /** Only called while nothing has been overwritten, so the order of the slots stays. */
  private void grow(int length) {
    atMillis = Arrays.copyOf(atMillis, length);
    latencyMicros = Arrays.copyOf(latencyMicros, length);
    outcomes = Arrays.copyOf(outcomes, length);
    messages = Arrays.copyOf(messages, length);
    next = size;
  }

  /** Most targets say the same every time: keep one copy of it, not sixty. */
  private String message(String text) {
    String kept = text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT);
    if (size > 0) {
      String previous = messages[Math.floorMod(next - 1, messages.length)];
      if (previous.equals(kept)) {
        return previous;
      }
    }
    return kept;
  }
}
