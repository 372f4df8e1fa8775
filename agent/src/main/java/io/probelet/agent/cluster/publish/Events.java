package io.probelet.agent.cluster.publish;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.agent.cluster.publish.EventBook.Writing;
import io.probelet.agent.cluster.publish.EventWriter.Written;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.kube.ApiServer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes events to the API server, on a thread of its own, as its book allows. */
final class Events implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Events.class);

  /** What the book holds back becomes due by itself. */
  private static final Duration LOOK_WHILE_SOME_WAIT = Duration.ofSeconds(1);

  private static final Duration LOOK = Duration.ofSeconds(10);

  /** A node's and a pod's writer end one after the other, and the agent has 10 s. */
  private static final Duration LAST_WRITES = Duration.ofSeconds(2);

  private final EventWriter writer;
  private final TimeSource time;
  private final EventBook book;
  private final LongAdder written = new LongAdder();
  private final Scribe scribe;

  /**
   * Creates a writer that has not begun.
   *
   * @param api where events go
   * @param node where they come from
   * @param time the clocks to go by
   * @param random spreads what the agents of a cluster do
   */
  Events(ApiServer api, String node, TimeSource time, RandomGenerator random) {
    this.writer = new EventWriter(api, node);
    this.time = time;
    this.scribe = new Scribe("events", this::look, this::writeNext, random);
    this.book = new EventBook(time.nanoTime());
    api.whenBack(scribe::serverIsBack);
  }

  /**
   * Begins to write.
   *
   * @param metrics counts what is written and what is not
   * @param kind what the events are about, for its metrics
   */
  void start(MeterRegistry metrics, String kind) {
    FunctionCounter.builder("probelet.events.written", written, LongAdder::sum)
        .description("Events written to the API server, updates included.")
        .tag("kind", kind)
        .register(metrics);
    Gauge.builder("probelet.events.waiting", this, Events::waiting)
        .description("Events that wait to be written, or to be written again with their count.")
        .tag("kind", kind)
        .register(metrics);
    for (EventDrop why : EventDrop.values()) {
      FunctionCounter.builder("probelet.events.dropped", this, events -> events.dropped(why))
          .description("Events, or counts of them, that were never written.")
          .tags("kind", kind, "reason", why.label())
          .register(metrics);
    }
    scribe.start();
  }

  private long waiting() {
    synchronized (book) {
      return book.waiting();
    }
  }

  private long dropped(EventDrop why) {
    synchronized (book) {
      return book.dropped(why);
    }
  }

  private Duration look() {
    return waiting() > 0 ? LOOK_WHILE_SOME_WAIT : LOOK;
  }

  /** Takes one occurrence, from any thread. */
  void tell(ApiEvent event) {
    boolean due;
    synchronized (book) {
      due = book.add(event, time.wallTime(), time.nanoTime());
    }
    if (due) {
      scribe.news();
    }
  }

  /** Forgets an object that is gone, but for what has not been told of it at all. */
  void gone(EventSubject object) {
    synchronized (book) {
      book.gone(object);
    }
  }

  private boolean writeNext() throws InterruptedException {
    Optional<Writing> next;
    synchronized (book) {
      next = scribe.isEnding() ? book.unwritten() : book.next(time.nanoTime());
    }
    if (next.isPresent()) {
      write(next.get());
    }
    return next.isPresent();
  }

  private void write(Writing writing) throws InterruptedException {
    switch (writer.write(writing)) {
      case Written.Told(int before) -> {
        synchronized (book) {
          book.goesOn(writing, before);
          book.written(writing, time.nanoTime());
        }
        written.increment();
        var _ = scribe.written();
      }
      case Written.Lost _ -> {
        synchronized (book) {
          book.lost(writing);
        }
      }
      case Written.Taken _ -> {
        if (!renamed(writing)) {
          scribe.hold(new Unanswered("something else has the event's name " + writing.name()));
        }
      }
      case Written.Failed(ApiResult answer)
          when answer.isPermanentRefusal() -> { // its namespace is going away
        synchronized (book) {
          book.refused(writing, time.nanoTime());
        }
        LOG.warn("event={} dropped reason=\"{}\"", writing.name(), answer.summary());
      }
      case Written.Failed(ApiResult answer) -> scribe.hold(answer);
    }
  }

  private boolean renamed(Writing writing) {
    synchronized (book) {
      return book.taken(writing);
    }
  }

  /** Writes what has not been written, whatever the budgets, for two seconds at most, and ends. */
  @Override
  public void close() {
    scribe.finish(LAST_WRITES);
  }
}
