package io.probelet.kube.event;

import io.probelet.health.LineLimit;
import io.probelet.health.SerialLoop;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.kube.ApiRetry;
import io.probelet.kube.ApiServer;
import io.probelet.kube.WriteLoop;
import io.probelet.kube.event.EventWriter.Outcome;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes Events to the API server on its own thread: recording never blocks. Failed writes are
 * retried; dropped Events are counted by reason.
 */
public final class EventRecorder implements EventCounts, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventRecorder.class);

  private static final String NAME = "events";

  /** Events held back by the queue become due with time. */
  private static final Duration PERIOD_WHILE_SOME_WAIT = Duration.ofSeconds(1);

  private static final Duration PERIOD = Duration.ofSeconds(10);

  /** Several writers end in sequence, and the process has 10 s. */
  private static final Duration LAST_WRITES = Duration.ofSeconds(2);

  private final EventWriter writer;
  private final TimeSource time;
  private final BooleanSupplier mayWrite;

  /** Limits log lines about permanently rejected events; used on the loop only. */
  private final LineLimit refusals;

  private final EventQueue queue;
  private final LongAdder written = new LongAdder();
  private final WriteLoop loop;

  /**
   * Creates a recorder that has not begun.
   *
   * @param mayWrite checked before every request; permanently false once leadership is lost
   */
  public EventRecorder(
      ApiServer api,
      EventSource source,
      TimeSource time,
      RandomGenerator random,
      BooleanSupplier mayWrite) {
    this(api, source, time, random, mayWrite, WriteLoop.thread(NAME, time.threads()));
  }

  /** The same on the caller's loop, for tests. */
  EventRecorder(
      ApiServer api,
      EventSource source,
      TimeSource time,
      RandomGenerator random,
      BooleanSupplier mayWrite,
      SerialLoop thread) {
    this.writer = new EventWriter(api, source, mayWrite);
    this.time = time;
    this.refusals = new LineLimit(10, Duration.ofMinutes(1), time.nanoTime());
    this.mayWrite = mayWrite;
    this.loop = new WriteLoop(NAME, this::period, this::writeNext, new ApiRetry(random), thread);
    this.queue = new EventQueue(time.nanoTime());
    api.whenBack(loop::serverIsBack);
  }

  /** Begins to write, including events recorded before. */
  public void start() {
    loop.start();
  }

  @Override
  public long written() {
    return written.sum();
  }

  @Override
  public long waiting() {
    synchronized (queue) {
      return queue.waiting();
    }
  }

  @Override
  public long dropped(DropReason why) {
    synchronized (queue) {
      return queue.dropped(why);
    }
  }

  private Duration period() {
    return waiting() > 0 ? PERIOD_WHILE_SOME_WAIT : PERIOD;
  }

  /** Records an occurrence, from any thread, without blocking. */
  public void record(ApiEvent event) {
    boolean due;
    synchronized (queue) {
      due = queue.add(event, time.wallTime(), time.nanoTime());
    }
    if (due) {
      loop.wake();
    }
  }

  /**
   * Drops an object that is gone, except for Events never written.
   *
   * @param object the object, or a part of it
   */
  public void gone(InvolvedObject object) {
    synchronized (queue) {
      queue.gone(object);
    }
  }

  private boolean writeNext() {
    if (!mayWrite.getAsBoolean()) {
      return false;
    }
    Optional<PendingEvent> next;
    synchronized (queue) {
      long nanos = time.nanoTime();
      next = loop.isEnding() ? queue.unwritten(nanos) : queue.next(nanos);
    }
    if (next.isPresent()) {
      write(next.get());
    }
    return next.isPresent();
  }

  private void write(PendingEvent pending) {
    switch (writer.write(pending)) {
      case Outcome.Written(int before) -> {
        synchronized (queue) {
          queue.continues(pending, before);
          queue.written(pending, time.nanoTime());
        }
        written.increment();
        var _ = loop.succeeded();
      }
      case Outcome.Gone _ -> {
        synchronized (queue) {
          queue.lost(pending);
        }
      }
      case Outcome.NameTaken _ -> {
        if (!renamed(pending)) {
          loop.failed(new Unanswered("event name " + pending.name() + " is already taken"));
        }
      }
      case Outcome.Failed(ApiResult result) -> failed(pending, result);
    }
  }

  private boolean renamed(PendingEvent pending) {
    synchronized (queue) {
      return queue.taken(pending);
    }
  }

  private void failed(PendingEvent pending, ApiResult result) {
    // For example, its namespace is gone. A conflict is with another writer, and passes.
    if (result.isPermanentRefusal() && !result.isConflict()) {
      synchronized (queue) {
        queue.refused(pending, time.nanoTime());
      }
      refusals
          .allow(time.nanoTime())
          .ifPresent(more ->
              LOG.warn(
                  "event dropped event={} reason=\"{}\" dropped={}",
                  pending.name(),
                  result.summary(),
                  more));
    } else if (result.isForbidden()) { // possibly in this namespace only
      boolean first;
      synchronized (queue) {
        first = queue.refusedForNow(pending, time.nanoTime());
      }
      if (first) {
        LOG.warn(
            "cannot write events, retrying namespace={} reason=\"{}\"",
            pending.namespace(),
            result.summary());
      }
    } else {
      loop.failed(result);
    }
  }

  /** Writes pending events regardless of budgets, for at most two seconds, and ends. */
  @Override
  public void close() {
    loop.finish(LAST_WRITES);
  }
}
