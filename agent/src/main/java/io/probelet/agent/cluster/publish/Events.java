package io.probelet.agent.cluster.publish;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.agent.cluster.publish.EventBook.Writing;
import io.probelet.health.TimeSource;
import io.probelet.nodehealth.api.Answer;
import io.probelet.nodehealth.api.Answer.Done;
import io.probelet.nodehealth.api.ApiServer;
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
  private static final Duration LOOK = Duration.ofSeconds(10);

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
    this.scribe = new Scribe("events", LOOK, this::writeNext, random);
    this.book = new EventBook(time.nanoTime());
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
    FunctionCounter.builder("probelet.events.forgotten", this, Events::forgotten)
        .description("Causes of events that were forgotten because there were too many.")
        .tag("kind", kind)
        .register(metrics);
    scribe.start();
  }

  private long forgotten() {
    synchronized (book) {
      return book.forgotten();
    }
  }

  /** Takes one occurrence, from any thread. */
  void tell(ApiEvent event) {
    synchronized (book) {
      book.add(event, time.wallTime(), time.nanoTime());
    }
    scribe.news();
  }

  /** Forgets the causes of an object that is gone. */
  void gone(String uid) {
    synchronized (book) {
      book.gone(uid);
    }
  }

  private boolean writeNext() throws InterruptedException {
    Optional<Writing> next;
    synchronized (book) {
      next = book.next(time.nanoTime());
    }
    if (next.isPresent()) {
      write(next.get());
    }
    return next.isPresent();
  }

  private void write(Writing writing) throws InterruptedException {
    Answer answer = writer.write(writing);
    boolean lost = answer.isNotFound() && !writing.create();
    boolean dropped = answer.isHopeless() && !lost; // its namespace is going away, say
    if (!(answer instanceof Done) && !lost && !dropped) {
      scribe.hold(answer);
      return;
    }
    synchronized (book) {
      if (lost) {
        book.lost(writing);
      } else {
        book.written(writing, time.nanoTime());
      }
    }
    if (dropped) {
      LOG.warn("event={} dropped reason=\"{}\"", writing.name(), answer.summary());
    } else {
      written.increment();
      var _ = scribe.written();
    }
  }

  /** Ends the writing; what has not been written is lost. */
  @Override
  public void close() {
    scribe.close();
  }
}
