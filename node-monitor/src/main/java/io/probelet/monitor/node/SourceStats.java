package io.probelet.monitor.node;

import io.probelet.monitor.availability.Obstacle;
import java.util.concurrent.atomic.AtomicLong;

/** What one source of evidence has to say about itself (B-13). */
final class SourceStats {
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
