package io.probelet.simulation.kernel;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A world in one thread: everything that happens in it happens in an order that its seed decides.
 *
 * <pre>
 *   ready threads  ── run in turn, each until it waits ──┐
 *   events by time ── the next one, once nothing is ready ┘  time advances only here
 * </pre>
 *
 * <p>The threads of a {@link SimulatedProcess} are virtual threads whose scheduler is this queue,
 * so that production code runs in it unchanged, and may wait for locks, queues and futures. Not
 * thread-safe: only its own threads and events use it.
 */
public final class Simulation {
  /** More steps than this without time passing are an endless loop. */
  private static final int MAX_STEPS_AT_ONCE = 1_000_000;

  private final long seed;
  private final PriorityQueue<Event> events = new PriorityQueue<>(Simulation::order);
  private final Queue<Runnable> ready = new ArrayDeque<>();
  private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
  private final List<Consumer<SimulatedProcess>> onEnd = new ArrayList<>();
  private final Trace trace = new Trace();
  private long now;
  private long sequence;
  private long steps;
  private volatile @Nullable Thread runner;

  /** Something that happens at a moment; of several at once, the one planned first comes first. */
  private record Event(
      long at, long sequence, @Nullable SimulatedProcess process, Runnable action) {}

  /** Written out: it is called more often than anything else here. */
  private static int order(Event one, Event other) {
    return one.at == other.at
        ? Long.compare(one.sequence, other.sequence)
        : Long.compare(one.at, other.at);
  }

  /**
   * Creates a world.
   *
   * @param seed decides all randomness in it
   */
  public Simulation(long seed) {
    this.seed = seed;
  }

  /** {@return the seed} */
  public long seed() {
    return seed;
  }

  /** {@return nanoseconds since the beginning} */
  public long now() {
    return now;
  }

  /** {@return how many threads and events have run} */
  public long steps() {
    return steps;
  }

  /** {@return what happened, for a person who looks for a cause} */
  public Trace trace() {
    return trace;
  }

  /**
   * {@return a source of randomness of its own, so that one part of the world that asks more often
   * changes nothing for the others}
   *
   * @param stream names it
   */
  public RandomGenerator random(String stream) {
    long mixed = seed;
    for (int at = 0; at < stream.length(); at++) {
      mixed = mixed * 0x9E3779B97F4A7C15L + stream.charAt(at);
    }
    return new SplittableRandom(mixed);
  }

  /**
   * Plans an event.
   *
   * @param delay from now; zero or less for as soon as nothing is ready
   * @param action what happens; must not wait
   */
  public void after(Duration delay, Runnable action) {
    at(now + Math.max(0, delay.toNanos()), action);
  }

  /**
   * Plans an event.
   *
   * @param nanos since the beginning; a past moment for as soon as nothing is ready
   * @param action what happens; must not wait
   */
  public void at(long nanos, Runnable action) {
    at(nanos, null, action);
  }

  /**
   * Plans an event that matters only to one process.
   *
   * @param nanos since the beginning; a past moment for as soon as nothing is ready
   * @param process once it has ended, the event does not happen
   * @param action what happens; must not wait
   */
  public void at(long nanos, @Nullable SimulatedProcess process, Runnable action) {
    events.add(new Event(Math.max(now, nanos), sequence++, process, action));
  }

  /** Adds a listener for processes that end. */
  public void onEnd(Consumer<SimulatedProcess> listener) {
    onEnd.add(listener);
  }

  /** Drops the events of a process, and with them all the memory that it held. */
  void ended(SimulatedProcess process) {
    events.removeIf(event -> event.process() == process);
    onEnd.forEach(listener -> listener.accept(process));
  }

  /** Adds a thread that can go on, or a task for as soon as those before it have run. */
  void ready(Runnable task) {
    ready.add(task);
  }

  /**
   * Records a failure if a thread from outside this world calls. The JVM's own threads do, if they
   * wake a virtual thread after a timed wait, or after a wait for a monitor whose owner was waiting
   * itself.
   */
  void requireOwnThread() {
    Thread caller = Thread.currentThread();
    if (!caller.isVirtual() && runner != null && !caller.equals(runner)) {
      failed(
          new IllegalStateException(
              "thread \"%s\" wakes a thread of the world: it waited for a monitor, or in real time"
                  .formatted(caller.getName())));
    }
  }

  /** Records an uncaught exception. */
  public void failed(Throwable failure) {
    failures.add(failure);
  }

  /** {@return the uncaught exceptions} */
  public List<Throwable> failures() {
    return List.copyOf(failures);
  }

  /**
   * Lets time pass.
   *
   * @param length how long
   * @throws IllegalStateException if something runs forever without letting time pass
   */
  public void run(Duration length) {
    runner = Thread.currentThread();
    runUntil(now + length.toNanos());
  }

  private void runUntil(long until) {
    int atOnce = 0;
    while (true) {
      Runnable next = ready.poll();
      if (next == null) {
        if (events.isEmpty() || events.peek().at() > until) {
          now = until;
          return;
        }
        Event event = events.remove();
        if (event.at() > now) {
          now = event.at();
          atOnce = 0;
        }
        next = event.action();
      }
      steps++;
      if (++atOnce > MAX_STEPS_AT_ONCE) {
        throw new IllegalStateException(
            "more than %d steps at %s of seed %d"
                .formatted(MAX_STEPS_AT_ONCE, Duration.ofNanos(now), seed));
      }
      try {
        next.run();
      } catch (RuntimeException mistake) {
        failed(mistake);
      }
    }
  }
}
