package io.probelet.health;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Slots for work that runs at the same time, as a semaphore whose limited waits pass in the time of
 * its {@link Threads}. Thread-safe.
 */
public final class Slots {
  private final Lock lock = new ReentrantLock();
  private final Condition released;
  private int free;

  /**
   * Creates free slots.
   *
   * @param number how many; with 0, those that are released later
   * @param threads in whose time waits pass
   */
  public Slots(int number, Threads threads) {
    this.released = threads.condition(lock);
    this.free = number;
  }

  /**
   * Takes a slot.
   *
   * @param atMost the longest wait for one
   * @return whether one was taken
   * @throws InterruptedException if the thread is interrupted meanwhile
   */
  public boolean tryAcquire(Duration atMost) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = atMost.toNanos();
      while (free == 0) {
        if (left <= 0) {
          return false;
        }
        left = released.awaitNanos(left);
      }
      free--;
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Gives a slot back. */
  public void release() {
    lock.lock();
    try {
      free++;
      released.signal();
    } finally {
      lock.unlock();
    }
  }
}
