package io.probelet.probe.engine;

import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The last 60 outcomes of one worker, oldest first. Kept as plain arrays that grow as they fill,
 * because a node has thousands of workers and most of what they remember is never read. Nearly all
 * of them are numbers, which the garbage collector need not follow.
 */
final class ProbeHistory {
  static final int CAPACITY = 60;
  private static final int LONGEST_TEXT = 256;
  private static final int FIRST_SIZE = 4;
  private static final List<ProbeSnapshot.Outcome> OUTCOMES =
      List.of(ProbeSnapshot.Outcome.values());

  private long[] atMillis = new long[0];
  private int[] latencyMicros = new int[0];

  /** Indexes of {@link #OUTCOMES}. */
  private byte[] outcomes = new byte[0];

  /** The message of the last outcome; also of all others while there is no list. */
  private String lastMessage = "";

  /** Null while all outcomes have the same message, which most targets have. */
  private String @Nullable [] messages;

  /** Null as long as no outcome had phases: commands have none. */
  private @Nullable PhaseHistory phases;

  private int next;
  private int size;

  /**
   * Takes one more outcome.
   *
   * @param at when the probe ended, in milliseconds since 1970
   */
  void add(long at, ProbeOutcome outcome, Duration latency) {
    Verdict verdict = outcome.verdict();
    if (size == atMillis.length && size < CAPACITY) {
      grow(Math.min(CAPACITY, Math.max(FIRST_SIZE, 2 * size)));
    }
    atMillis[next] = at;
    latencyMicros[next] =
        (int) Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMicros(latency.toNanos()));
    outcomes[next] = (byte) OUTCOMES.indexOf(ProbeSnapshot.Outcome.of(verdict));
    addMessage(verdict.text());
    addPhases(outcome.timings());
    next = (next + 1) % atMillis.length;
    size = Math.min(size + 1, atMillis.length);
  }

  private void addMessage(String text) {
    String kept = text.length() <= LONGEST_TEXT ? text : text.substring(0, LONGEST_TEXT);
    if (!lastMessage.equals(kept)) {
      if (messages == null && size > 0) {
        messages = new String[atMillis.length];
        Arrays.fill(messages, 0, size, lastMessage);
      }
      lastMessage = kept; // one copy of repeated messages
    }
    if (messages != null) {
      messages[next] = lastMessage;
    }
  }

  private void addPhases(ProbeTimings timings) {
    PhaseHistory known = phases;
    if (known == null && PhaseHistory.has(timings)) {
      known = new PhaseHistory();
      phases = known;
    }
    if (known != null) { // also where it had none: the slot may hold those of an older one
      known.set(next, atMillis.length, timings);
    }
  }

  /** {@return when the last probe ended, null before the first} */
  @Nullable Instant newest() {
    return size == 0
        ? null
        : Instant.ofEpochMilli(atMillis[Math.floorMod(next - 1, atMillis.length)]);
  }

  List<ProbeSnapshot.Entry> newest(int wanted) {
    List<ProbeSnapshot.Entry> entries = new ArrayList<>(Math.min(size, wanted));
    for (int back = Math.min(size, wanted); back > 0; back--) {
      int slot = Math.floorMod(next - back, atMillis.length);
      entries.add(
          new ProbeSnapshot.Entry(
              Instant.ofEpochMilli(atMillis[slot]),
              OUTCOMES.get(outcomes[slot]),
              Duration.of(latencyMicros[slot], ChronoUnit.MICROS),
              messages == null ? lastMessage : messages[slot],
              phases == null ? null : phases.get(slot)));
    }
    return entries;
  }

  /** Only called while nothing has been overwritten, so the order of the slots stays. */
  private void grow(int length) {
    atMillis = Arrays.copyOf(atMillis, length);
    latencyMicros = Arrays.copyOf(latencyMicros, length);
    outcomes = Arrays.copyOf(outcomes, length);
    if (messages != null) {
      messages = Arrays.copyOf(messages, length);
    }
    next = size;
  }
}
