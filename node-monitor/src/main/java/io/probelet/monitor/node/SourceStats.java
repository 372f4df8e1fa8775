package io.probelet.monitor.node;

import java.util.concurrent.atomic.AtomicLong;

/** What one source of evidence has to say about itself (B-13). */
final class SourceStats {
  private final String source;
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong matches = new AtomicLong();
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong unread = new AtomicLong();
  private final AtomicLong timeouts = new AtomicLong();
  private final AtomicLong nanos = new AtomicLong();
  private volatile String trouble = "";

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

  void timedOut() {
    timeouts.incrementAndGet();
  }

  void took(long elapsed) {
    nanos.addAndGet(elapsed);
  }

  /** Says what is wrong now, empty for nothing; returns whether that is news. */
  boolean trouble(String now) {
    boolean news = !now.equals(trouble);
    trouble = now;
    return news;
  }

  SourceView view() {
    return new SourceView(
        source,
        trouble,
        reads.get(),
        matches.get(),
        lost.get(),
        unread.get(),
        timeouts.get(),
        nanos.get() / 1e9);
  }
}
