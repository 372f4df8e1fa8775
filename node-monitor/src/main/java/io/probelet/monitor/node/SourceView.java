package io.probelet.monitor.node;

import io.probelet.monitor.availability.Obstacle;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How a source of evidence is doing (B-13).
 *
 * @param state whether it observes what it is for
 * @param reads lines that were read, or runs of plugins and checks
 * @param lost lines that were lost before they could be read
 * @param unread lines whose time could not be read, so that they are no entries of their log
 * @param tooOld matches of lines that were older than the lookback, or within the delay
 * @param timeouts runs that took too long
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
  /** {@return what keeps it from working, for people; empty if nothing does} */
  public String trouble() {
    return state.trouble();
  }

  /** Whether a source of evidence observes what it is for. */
  public sealed interface SourceState {
    /** Nothing has come of it yet. */
    record Starting() implements SourceState {}

    /** It does. */
    record Running() implements SourceState {}

    /**
     * It has, and does not now, or fails for a reason that has nothing to do with what it takes.
     */
    record Failing(String why) implements SourceState {}

    /** It cannot, as this program is installed (B-17). */
    record Unavailable(Obstacle obstacle, String why) implements SourceState {}

    /** {@return what keeps it from working, for people; empty if nothing does} */
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

    /** {@return what is in the way, by its name in the API; empty unless it is unavailable} */
    default String obstacleLabel() {
      return this instanceof Unavailable(Obstacle obstacle, _) ? obstacle.label() : "";
    }
  }

  /** What one source of evidence has to say about itself (B-13). */
  static final class SourceStats {
    private final String source;
    private final AtomicLong reads = new AtomicLong();
    private final AtomicLong matches = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong unread = new AtomicLong();
    private final AtomicLong tooOld = new AtomicLong();
    private final AtomicLong timeouts = new AtomicLong();
    private final AtomicLong nanos = new AtomicLong();

    // Under this object's lock.
    private SourceState state = new SourceState.Starting();
    private boolean ran;

    SourceStats(String source) {
      this.source = source;
    }

    /** A line was read, or a plugin or check was run. */
    void read() {
      reads.incrementAndGet();
    }

    void matched() {
      matches.incrementAndGet();
    }

    void lost(long lines) {
      lost.addAndGet(lines);
    }

    /** A line was no entry of its log; returns whether it was the first. */
    boolean unread() {
      return unread.getAndIncrement() == 0;
    }

    /** A line matched, but was too old to count; returns whether it was the first. */
    boolean tooOld() {
      return tooOld.getAndIncrement() == 0;
    }

    void timedOut() {
      timeouts.incrementAndGet();
    }

    void took(long elapsed) {
      nanos.addAndGet(elapsed);
    }

    /** Its monitor begins anew; what has run has what it takes (B-17). */
    synchronized void starting() {
      state = new SourceState.Starting();
    }

    /** It observes; returns whether it had failed before. */
    synchronized boolean running() {
      ran = true;
      boolean failed = state instanceof SourceState.Failing;
      state = new SourceState.Running();
      return failed;
    }

    /** It fails; returns whether that is news. */
    synchronized boolean failing(String why) {
      SourceState failing = new SourceState.Failing(why);
      boolean news = !failing.equals(state);
      state = failing;
      return news;
    }

    /** It lacks what it takes, which is a failure once it has run; returns whether that is news. */
    synchronized boolean unavailable(Obstacle obstacle, String why) {
      if (ran) {
        return failing(why);
      }
      state = new SourceState.Unavailable(obstacle, why); // the table says so (SourceLog)
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
