package io.probelet.monitor.node;

import io.probelet.monitor.availability.Obstacle;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The state and counters of a source of evidence (B-13).
 *
 * @param state whether it can observe
 * @param reads lines that were read, or runs of plugins and checks
 * @param lost lines that were lost before they could be read
 * @param unread unparseable lines
 * @param tooOld matches ignored as older than the lookback or within the delay
 * @param timeouts runs that timed out
 */
public record SourceView(
    String source,
    SourceState state,
    long reads,
    long matches,
    long lost,
    long unread,
    long tooOld,
    long timeouts,
    double seconds) {
  /** {@return the problem, for people; empty if there is none} */
  public String trouble() {
    return state.trouble();
  }

  /** The state of a source of evidence. */
  public sealed interface SourceState {
    /** No result yet. */
    record Starting() implements SourceState {}

    /** It works. */
    record Running() implements SourceState {}

    /** It has failed after it worked, or for a reason other than a missing prerequisite. */
    record Failing(String why) implements SourceState {}

    /** It lacks a prerequisite in this installation (B-17). */
    record Unavailable(Obstacle obstacle, String why) implements SourceState {}

    /** {@return the problem, for people; empty if there is none} */
    default String trouble() {
      return switch (this) {
        case Starting(), Running() -> "";
        case Failing(String why) -> why;
        case Unavailable(_, String why) -> why;
      };
    }

    /** {@return its name in the API: starting, running, failing or unavailable} */
    default String label() {
      return switch (this) {
        case Starting() -> "starting";
        case Running() -> "running";
        case Failing _ -> "failing";
        case Unavailable _ -> "unavailable";
      };
    }

    /**
     * {@return the missing prerequisite, by its name in the API; empty unless it is unavailable}
     */
    default String obstacleLabel() {
      return this instanceof Unavailable(Obstacle obstacle, _) ? obstacle.label() : "";
    }
  }

  /** The mutable state and counters of one source of evidence (B-13). */
  static final class SourceStats {
    private final String source;
    private final AtomicLong reads = new AtomicLong();
    private final AtomicLong matches = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong unread = new AtomicLong();
    private final AtomicLong tooOld = new AtomicLong();
    private final AtomicLong timeouts = new AtomicLong();
    private final AtomicLong nanos = new AtomicLong();

    // Guarded by this object's lock.
    private SourceState state = new SourceState.Starting();
    private boolean ran;

    SourceStats(String source) {
      this.source = source;
    }

    /** Counts a line read, or a run of a plugin or check. */
    void read() {
      reads.incrementAndGet();
    }

    void matched() {
      matches.incrementAndGet();
    }

    void lost(long lines) {
      lost.addAndGet(lines);
    }

    /** Counts an unparseable line; returns whether it was the first. */
    boolean unread() {
      return unread.getAndIncrement() == 0;
    }

    /** Counts a match that was too old; returns whether it was the first. */
    boolean tooOld() {
      return tooOld.getAndIncrement() == 0;
    }

    void timedOut() {
      timeouts.incrementAndGet();
    }

    void took(long elapsed) {
      nanos.addAndGet(elapsed);
    }

    /** Its monitor restarts; a source that has run has its prerequisites (B-17). */
    synchronized void starting() {
      state = new SourceState.Starting();
    }

    /** The source works; returns whether it had failed before. */
    synchronized boolean running() {
      ran = true;
      boolean failed = state instanceof SourceState.Failing;
      state = new SourceState.Running();
      return failed;
    }

    /** The source fails; returns whether that is new. */
    synchronized boolean failing(String why) {
      SourceState failing = new SourceState.Failing(why);
      boolean news = !failing.equals(state);
      state = failing;
      return news;
    }

    /**
     * The source lacks a prerequisite, which counts as a failure once it has run; returns whether
     * that is new.
     */
    synchronized boolean unavailable(Obstacle obstacle, String why) {
      if (ran) {
        return failing(why);
      }
      state = new SourceState.Unavailable(obstacle, why); // SourceLog reports this
      return false;
    }

    private synchronized SourceState state() {
      return state;
    }

    SourceView view() {
      return new SourceView(
          source,
          state(),
          reads.get(),
          matches.get(),
          lost.get(),
          unread.get(),
          tooOld.get(),
          timeouts.get(),
          nanos.get() / 1e9);
    }
  }
}
