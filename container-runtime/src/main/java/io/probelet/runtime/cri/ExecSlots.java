package io.probelet.runtime.cri;

import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** Bounds how many commands run in containers at once: a stampede of them is what kills nodes. */
final class ExecSlots {
  private final int total;
  private final Semaphore free;
  private final AtomicInteger waiting = new AtomicInteger();

  ExecSlots(int total) {
    this.total = total;
    this.free = new Semaphore(total, true);
  }

  /** Waits for a slot, first come, first served. */
  void take() throws InterruptedException {
    waiting.incrementAndGet();
    try {
      free.acquire();
    } finally {
      waiting.decrementAndGet();
    }
  }

  void giveBack() {
    free.release();
  }

  int taken() {
    return total - free.availablePermits();
  }

  int waiting() {
    return waiting.get();
  }
}
