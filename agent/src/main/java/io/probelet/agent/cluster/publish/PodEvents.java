package io.probelet.agent.cluster.publish;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.agent.cluster.api.ApiException;
import io.probelet.agent.cluster.api.ApiServer;
import io.probelet.agent.cluster.pods.ClusterPod;
import io.probelet.agent.cluster.pods.KnownPods;
import io.probelet.agent.cluster.publish.EventBook.Writing;
import io.probelet.health.TimeSource;
import io.probelet.nodehealth.api.Pace;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.engine.ProbeEvent;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.engine.RestartDecision;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells on pods, by events in the kubelet's words, what comes of their probes (D-6). */
public final class PodEvents implements ProbeListener, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PodEvents.class);

  /** How often the book is looked into while nothing is added. */
  private static final Duration LOOK = Duration.ofSeconds(10);

  private final EventWriter writer;
  private final KnownPods pods;
  private final TimeSource time;
  private final Pace pace;
  private final EventBook book;
  private final Semaphore news = new Semaphore(0);
  private final CountDownLatch closed = new CountDownLatch(1);
  private final LongAdder written = new LongAdder();
  private final Thread thread = Thread.ofVirtual().name("events").unstarted(this::run);

  /**
   * Creates a teller that has not begun.
   *
   * @param api where events go
   * @param node where they come from
   * @param pods finds the API server's uid of a pod
   * @param time the clocks to go by
   * @param random spreads what the agents of a cluster do
   */
  public PodEvents(
      ApiServer api, String node, KnownPods pods, TimeSource time, RandomGenerator random) {
    this.writer = new EventWriter(api, node);
    this.pods = pods;
    this.time = time;
    this.pace = new Pace(random);
    this.book = new EventBook(time.nanoTime());
  }

  /**
   * Begins to write.
   *
   * @param metrics counts what is written and what is not
   */
  public void start(MeterRegistry metrics) {
    FunctionCounter.builder("probelet.events.written", written, LongAdder::sum)
        .description("Events written to the API server, updates included.")
        .register(metrics);
    FunctionCounter.builder("probelet.events.forgotten", this, PodEvents::forgotten)
        .description("Causes of events that were forgotten because there were too many.")
        .register(metrics);
    thread.start();
  }

  private long forgotten() {
    synchronized (book) {
      return book.forgotten();
    }
  }

  @Override
  public void probed(Probed probe) {
    ProbeSubject subject = probe.subject();
    ProbeEvent.of(subject.kind(), probe.outcome().verdict())
        .ifPresent(event -> add(subject.pod(), subject.container(), subject.kind().label(), event));
  }

  @Override
  public void restartDecided(RestartDecision decision) {
    ProbeSubject subject = decision.subject();
    add(subject.pod(), subject.container(), subject.kind().label(), decision.event());
  }

  /**
   * Tells that the guard holds a restart.
   *
   * @param decision which and why
   * @param why why it is held
   */
  public void held(RestartDecision decision, String why) {
    ProbeSubject subject = decision.subject();
    String message =
        "Container %s failed %s probe, but is not restarted now: %s"
            .formatted(subject.container(), subject.kind().label().toLowerCase(Locale.ROOT), why);
    add(
        subject.pod(),
        subject.container(),
        subject.kind().label(),
        new ProbeEvent("Warning", "RestartHeld", message));
  }

  /**
   * Tells what is wrong with a pod's annotations.
   *
   * @param pod the pod, with its problems
   */
  public void invalid(ClusterPod pod) {
    if (!pod.problems().isEmpty()) {
      add(
          pod.ref(),
          "",
          "",
          new ProbeEvent("Warning", "InvalidProbeAnnotation", String.join("; ", pod.problems())));
    }
  }

  private void add(PodRef ref, String container, String about, ProbeEvent event) {
    Optional<ClusterPod> pod = pods.find(ref);
    if (pod.isEmpty()) {
      return; // an event needs an object that it is about
    }
    PodRef known = new PodRef(ref.namespace(), ref.name(), pod.get().uid());
    synchronized (book) {
      book.add(
          new PodEvent(known, container, event.type(), event.reason(), about, event.message()),
          time.wallTime(),
          time.nanoTime());
    }
    news.release();
  }

  @Override
  public void podRemoved(PodRef pod) {
    synchronized (book) {
      book.podGone(pod.uid());
    }
  }

  private void run() {
    try {
      while (closed.getCount() > 0) {
        Optional<Writing> next;
        synchronized (book) {
          next = book.next(time.nanoTime());
        }
        if (next.isPresent()) {
          write(next.get());
        } else if (news.tryAcquire(LOOK.toNanos(), TimeUnit.NANOSECONDS)) {
          news.drainPermits();
        }
      }
    } catch (InterruptedException end) {
      LOG.debug("events=ended");
    }
  }

  private void write(Writing writing) throws InterruptedException {
    try {
      boolean exists = writer.write(writing);
      synchronized (book) {
        if (exists) {
          book.written(writing, time.nanoTime());
        } else {
          book.lost(writing);
        }
      }
      written.increment();
      pace.succeeded();
    } catch (ApiException refused) {
      if (refused.hopeless()) { // its namespace is going away, say
        LOG.warn("event={} dropped reason=\"{}\"", writing.name(), refused.getMessage());
        synchronized (book) {
          book.written(writing, time.nanoTime());
        }
        return;
      }
      Duration wait = pace.failed(refused.retryAfter());
      LOG.warn("events=held reason=\"{}\" again-in={}ms", refused.getMessage(), wait.toMillis());
      closed.await(wait.toNanos(), TimeUnit.NANOSECONDS);
    }
  }

  /** Ends the writing; what has not been written is lost. */
  @Override
  public void close() {
    closed.countDown();
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException givenUp) {
      Thread.currentThread().interrupt();
    }
  }
}
