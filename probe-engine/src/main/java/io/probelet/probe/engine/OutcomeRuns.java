package io.probelet.probe.engine;

import io.probelet.probe.latency.OutcomeRun;
import io.probelet.probe.latency.OutcomeRun.Result;
import io.probelet.probe.latency.ProbeStatistics;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The newest outcomes of one worker as runs of equal ones, which is little for a probe that nearly
 * always succeeds. Plain arrays that grow as they fill. Times are seconds since 1970 as unsigned
 * numbers, which end in 2106.
 */
final class OutcomeRuns {
  static final int CAPACITY = ProbeStatistics.MAX_RUNS;

  /** What a full list takes, in bytes: thirteen for each run, and the headers of its arrays. */
  static final int MAX_BYTES = 512;

  private static final int FIRST_SIZE = 4;
  private static final byte NEW_INSTANCE = 8;
  private static final List<Result> RESULTS = List.of(Result.values());

  private int[] firsts = new int[FIRST_SIZE];
  private int[] lasts = new int[FIRST_SIZE];
  private int[] counts = new int[FIRST_SIZE];

  /** Indexes of {@link #RESULTS}, and {@link #NEW_INSTANCE}. */
  private byte[] kinds = new byte[FIRST_SIZE];

  private int next;
  private int size;

  /** Takes what was kept earlier. */
  void addAll(List<OutcomeRun> runs) {
    for (OutcomeRun run : runs) {
      push(code(run.result(), run.newInstance()), seconds(run.first()));
      int slot = newest();
      lasts[slot] = seconds(run.last());
      counts[slot] = run.count();
    }
  }

  void add(Result result, boolean newInstance, long seconds) {
    int slot = newest();
    boolean same =
        size > 0 && !newInstance && (kinds[slot] & ~NEW_INSTANCE) == RESULTS.indexOf(result);
    if (same && counts[slot] < Integer.MAX_VALUE) {
      counts[slot]++;
      if (Integer.compareUnsigned((int) seconds, lasts[slot]) > 0) { // a clock may be set back
        lasts[slot] = (int) seconds;
      }
    } else {
      push(code(result, newInstance), (int) seconds);
    }
  }

  private void push(byte kind, int seconds) {
    if (size == firsts.length && size < CAPACITY) {
      grow(2 * size);
    }
    kinds[next] = kind;
    firsts[next] = seconds;
    lasts[next] = seconds;
    counts[next] = 1;
    next = (next + 1) % firsts.length;
    size = Math.min(size + 1, firsts.length);
  }

  /** {@return the runs, oldest first} */
  List<OutcomeRun> all() {
    List<OutcomeRun> all = new ArrayList<>(size);
    for (int back = size; back > 0; back--) {
      int slot = Math.floorMod(next - back, firsts.length);
      all.add(
          new OutcomeRun(
              RESULTS.get(kinds[slot] & ~NEW_INSTANCE),
              (kinds[slot] & NEW_INSTANCE) != 0,
              time(firsts[slot]),
              time(lasts[slot]),
              counts[slot]));
    }
    return all;
  }

  private int newest() {
    return Math.floorMod(next - 1, firsts.length);
  }

  /** Only called while nothing has been overwritten, so the order of the slots stays. */
  private void grow(int length) {
    firsts = Arrays.copyOf(firsts, length);
    lasts = Arrays.copyOf(lasts, length);
    counts = Arrays.copyOf(counts, length);
    kinds = Arrays.copyOf(kinds, length);
    next = size;
  }

  private static byte code(Result result, boolean newInstance) {
    return (byte) (RESULTS.indexOf(result) | (newInstance ? NEW_INSTANCE : 0));
  }

  private static int seconds(Instant time) {
    return (int) Math.clamp(time.getEpochSecond(), 0, 0xffff_ffffL);
  }

  private static Instant time(int seconds) {
    return Instant.ofEpochSecond(Integer.toUnsignedLong(seconds));
  }
}
