package io.probelet.runtime.cri;

import io.probelet.health.TimeSource;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Bounds how many commands run in containers at once: a stampede of them is what kills nodes. */
final class ExecSlots {
  private final int limit;
  private final TimeSource time;
  private final Semaphore free;
  private final AtomicInteger waiting = new AtomicInteger();
  private final LongAdder taken = new LongAdder();
  private final LongAdder waitedNanos = new LongAdder();

  ExecSlots(int limit, TimeSource time) {
    this.limit = limit;
    this.time = time;
    this.free = new Semaphore(limit, true);
  }

  /** Waits for a slot, first come, first served. */
  void take() throws InterruptedException {
    long began = time.nanoTime();
    waiting.incrementAndGet();
    try {
      free.acquire();
    } finally {
      waiting.decrementAndGet();
    }
    waitedNanos.add(time.nanoTime() - began);
    taken.increment();
  }

  void giveBack() {
    free.release();
  }

  CriStats.Execs stats() {
    return new CriStats.Execs(
        limit,
        limit - free.availablePermits(),
        waiting.get(),
        taken.sum(),
        Duration.ofNanos(waitedNanos.sum()));
  }
}
