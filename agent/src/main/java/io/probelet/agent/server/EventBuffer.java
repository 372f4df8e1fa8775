package io.probelet.agent.server;

import io.probelet.health.Threads;
import io.probelet.health.TimeSource;
import io.probelet.web.api.Rfc3339;
import io.probelet.web.api.ViewJson;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The newest events, numbered from 1, for clients that ask for those after a number. When it is
 * full the oldest goes, and a client that has not read it is told that there is a gap (PS-6: what
 * is lost must be seen). Safe for use by several threads.
 */
final class EventBuffer {
  static final int MAX_EVENTS = 4096;

  /** Characters of all events together, as JSON. */
  static final int MAX_CHARS = 2 << 20;

  /** Characters of the events of one answer, as JSON, unless the first alone has more. */
  static final int MAX_ANSWER = 256 << 10;

  /**
   * Readers that wait at once, fewer than the server answers at once: whether a client has gone is
   * not seen while it waits, and those of clients that have gone must not keep others out.
   */
  static final int MAX_WAITING = 8;

  private final TimeSource time;
  private final Threads threads;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition added;
  private final Deque<String> events = new ArrayDeque<>();
  private final Deque<Object> waiting = new ArrayDeque<>();
  private long last;
  private long chars;
  private long gaps;
  private boolean closed;

  /**
   * Events after a number.
   *
   * @param gap whether events are missing before the first of these
   * @param last the number of the newest of these: the client's next {@code after}
   * @param events each as JSON, oldest first
   */
  record Batch(boolean gap, long last, List<String> events) {}

  EventBuffer(TimeSource time) {
    this.time = time;
    threads = time.threads();
    added = threads.condition(lock);
  }

  void add(ServedEvent event) {
    String body = ViewJson.write(event);
    lock.lock();
    try {
      last++;
      // The event begins with its number and time; what follows is the rest of the same object.
      String json =
          "{\"sequence\":"
              + last
              + ",\"time\":\""
              + Rfc3339.text(time.wallTime())
              + "\","
              + body.substring(1);
      events.addLast(json);
      chars += json.length();
      while (events.size() > MAX_EVENTS || chars > MAX_CHARS) {
        chars -= events.removeFirst().length();
      }
      added.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** {@return the number of the newest event; 0 before the first} */
  long last() {
    lock.lock();
    try {
      return last;
    } finally {
      lock.unlock();
    }
  }

  /** {@return how many events it holds} */
  int size() {
    lock.lock();
    try {
      return events.size();
    } finally {
      lock.unlock();
    }
  }

  /** {@return how often a client has been told of a gap} */
  long gaps() {
    lock.lock();
    try {
      return gaps;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Reads events. When too many wait, the wait of the first one ends.
   *
   * @param after the number of the last event that the client has read
   * @param known whether this buffer has given that number
   * @param wait how long it waits for the first event
   * @return the oldest events after it; none if there is none in time, or there is a gap
   * @throws InterruptedException if the thread is interrupted
   */
  Batch after(long after, boolean known, Duration wait) throws InterruptedException {
    lock.lock();
    try {
      if (!known || after > last) {
        return gap();
      }
      await(after, wait);
      return batch(after);
    } finally {
      lock.unlock();
    }
  }

  private void await(long after, Duration wait) throws InterruptedException {
    Object turn = new Object();
    waiting.addLast(turn);
    if (waiting.size() > MAX_WAITING) {
      waiting.removeFirst();
      added.signalAll();
    }
    long end = threads.nanoTime() + wait.toNanos();
    try {
      for (long left = wait.toNanos();
          after == last && left > 0 && !closed && waiting.contains(turn); ) {
        long _ = added.awaitNanos(left);
        left = end - threads.nanoTime();
      }
    } finally {
      waiting.remove(turn);
    }
  }

  private Batch batch(long after) {
    List<String> chosen = new ArrayList<>();
    long skip = after - (last - events.size());
    if (skip < 0) {
      return gap();
    }
    long size = 0;
    for (String event : events) {
      if (skip-- > 0) {
        continue;
      }
      size += event.length();
      if (!chosen.isEmpty() && size > MAX_ANSWER) {
        break;
      }
      chosen.add(event);
    }
    return new Batch(false, after + chosen.size(), chosen);
  }

  private Batch gap() {
    gaps++;
    return new Batch(true, last, List.of());
  }

  /** Ends all waits. */
  void close() {
    lock.lock();
    try {
      closed = true;
      added.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
