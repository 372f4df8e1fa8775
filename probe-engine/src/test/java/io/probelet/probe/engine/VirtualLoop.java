package io.probelet.probe.engine;

import io.probelet.health.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;

/** A loop whose time passes only when a test says so. */
public final class VirtualLoop implements ProbeLoop {
  public static final Instant START = Instant.parse("2026-11-21T12:00:00Z");

  private final ManualClock clock = new ManualClock(START);
  private final Queue<Runnable> ready = new ConcurrentLinkedQueue<>();
  private final PriorityQueue<Task> timers =
      new PriorityQueue<>(Comparator.comparingLong(Task::due).thenComparingLong(Task::serial));
  private long serial;
  private long waitNanos;
  private long throttledNanos;
  private long codePrepared;

  private record Task(long due, long serial, Runnable action) {}

  @Override
  public void execute(Runnable task) {
    ready.add(task);
  }

  @Override
  public Timer at(long dueNanos, Runnable action) {
    Task task = new Task(dueNanos, serial++, action);
    timers.add(task);
    return () -> timers.remove(task);
  }

  @Override
  public ManualClock time() {
    return clock;
  }

  @Override
  public List<LongSupplier> processorWaits() {
    return List.of(() -> waitNanos, () -> throttledNanos);
  }

  @Override
  public LongSupplier codePreparation() {
    return () -> codePrepared;
  }

  /** Lets the JVM load a class. */
  public void loadedClass() {
    codePrepared++;
  }

  /** Lets the kernel say that the loop's thread waited for a processor. */
  public void waitedForProcessor(Duration length) {
    waitNanos += length.toNanos();
  }

  /** Lets the kernel say that the control group was throttled. */
  public void throttled(Duration length) {
    throttledNanos += length.toNanos();
  }

  /** How long until the next timer is due; empty if there is none. */
  public Optional<Duration> nextTimer() {
    return Optional.ofNullable(timers.peek())
        .map(next -> Duration.ofNanos(next.due() - clock.nanoTime()));
  }

  /** Runs everything that is due now. */
  public void run() {
    advance(Duration.ZERO);
  }

  /** Lets time pass, running each timer at its moment. */
  public void advance(Duration step) {
    long end = clock.nanoTime() + step.toNanos();
    while (true) {
      Runnable task = ready.poll();
      if (task != null) {
        task.run();
        continue;
      }
      Task timer = timers.peek();
      if (timer == null || timer.due() > end) {
        break;
      }
      timers.remove(timer);
      clock.advance(Duration.ofNanos(Math.max(0, timer.due() - clock.nanoTime())));
      timer.action().run();
    }
    clock.advance(Duration.ofNanos(Math.max(0, end - clock.nanoTime())));
  }

  /**
   * Lets time pass while the loop stands still; what fell due meanwhile runs late, on the next run.
   */
  public void stall(Duration length) {
    clock.advance(length);
  }
}
