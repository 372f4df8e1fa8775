package io.probelet.probe.rule;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Says whose work is next, so that a pod with much of it takes nothing from a pod with little: the
 * pod whose work took the least time goes first, and none has two pieces under way. Pure but for
 * its own memory; not safe for several threads.
 *
 * @param <K> names a pod
 * @param <T> a piece of work
 */
final class FairQueue<K, T> {
  /** More than a pod can have probes in flight. */
  static final int MAX_PER_POD = 64;

  /** Over all pods; each piece holds a body of at most 10 KiB. */
  static final int MAX_WAITING = 1_024;

  private final Map<K, Line> lines = new HashMap<>();
  private int waiting;

  /** How far time taken has come for those that wait; who comes anew begins here. */
  private long level;

  /** A piece of work and whose it is. */
  record Next<K, T>(K pod, T work) {}

  private final class Line {
    private final Queue<T> waits = new ArrayDeque<>(1);
    private long taken = level;
    private boolean underWay;
  }

  /**
   * Takes a piece of work in.
   *
   * @return false if there is no room for it
   */
  boolean add(K pod, T work) {
    Line line = lines.computeIfAbsent(pod, key -> new Line());
    if (waiting >= MAX_WAITING || line.waits.size() >= MAX_PER_POD) {
      return false;
    }
    line.waits.add(work);
    waiting++;
    return true;
  }

  /** {@return pieces of work that wait} */
  int waiting() {
    return waiting;
  }

  /** {@return whether work of this pod waits or is under way} */
  boolean busy(K pod) {
    Line line = lines.get(pod);
    return line != null && (line.underWay || !line.waits.isEmpty());
  }

  /** {@return the next task, or null} */
  @Nullable Next<K, T> next() {
    K first = null;
    Line best = null;
    for (Map.Entry<K, Line> each : lines.entrySet()) {
      Line line = each.getValue();
      if (!line.underWay && !line.waits.isEmpty() && (best == null || line.taken < best.taken)) {
        best = line;
        first = each.getKey();
      }
    }
    T work = best == null ? null : best.waits.poll();
    if (best == null || first == null || work == null) {
      return null;
    }
    waiting--;
    best.underWay = true;
    level = Math.max(level, best.taken);
    return new Next<>(first, work);
  }

  /** Records that a pod's work is done and how long it took. */
  void done(K pod, long nanos) {
    Line line = lines.get(pod);
    if (line != null) {
      line.underWay = false;
      line.taken = Math.max(line.taken, level) + nanos;
      lines.values().removeIf(each -> idle(each) && each.taken <= level);
      if (lines.values().stream().allMatch(this::idle)) {
        lines.clear(); // nothing waits, so all start equal
      }
    }
  }

  private boolean idle(Line line) {
    return !line.underWay && line.waits.isEmpty();
  }
}
