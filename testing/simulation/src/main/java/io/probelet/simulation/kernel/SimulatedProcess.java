package io.probelet.simulation.kernel;

import io.probelet.health.Threads;
import io.probelet.health.TimeSource;
import java.lang.reflect.Constructor;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A process of the simulated world: its threads, its view of its machine's clocks. It can be
 * killed, after which none of its threads runs again, and frozen, after which they all go on later.
 */
public final class SimulatedProcess implements TimeSource, Threads {
  private static final Duration LONGEST = Duration.ofDays(36_500);

  private static volatile @Nullable SimulatedProcess running;

  private final Simulation world;
  private final Machine machine;
  private final String name;
  private final Executor scheduler = this::schedule;
  private final Queue<Runnable> held = new ArrayDeque<>();
  private boolean killed;

  private boolean frozen;

  /** How many stalls are under way. */
  private int stalls;

  private long stalledAt = Long.MIN_VALUE;

  private long waited;

  /**
   * Starts a process without threads. On a machine that is suspended it waits for its resumption.
   *
   * @param machine where it runs
   * @param name of the process, for the trace
   */
  public SimulatedProcess(Machine machine, String name) {
    this.world = machine.world();
    this.machine = machine;
    this.name = name;
    if (machine.isSuspended()) {
      frozen = true;
      machine.whenAwake(this::thaw);
    }
  }

  /**
   * {@return the process whose thread runs now, for static code such as loggers} A JVM runs one
   * world at a time.
   */
  public static Optional<SimulatedProcess> running() {
    return Optional.ofNullable(running);
  }

  /** {@return its name} */
  public String name() {
    return name;
  }

  /** {@return the machine where it runs} */
  public Machine machine() {
    return machine;
  }

  /** {@return whether it was killed} */
  public boolean isKilled() {
    return killed;
  }

  /**
   * {@return randomness of this process alone}
   *
   * @param stream names it
   */
  public RandomGenerator random(String stream) {
    return world.random(name + "/" + stream);
  }

  /** Ends it between two steps: none of its threads runs again, not even a finally block. */
  public void kill() {
    if (!killed) {
      killed = true;
      held.clear();
      world.ended(this);
    }
  }

  /** Lets none of its threads run until {@link #thaw}. Its clocks run on. */
  public void freeze() {
    if (!frozen) {
      frozen = true;
      stall();
    }
  }

  /** Lets its threads go on, unless it stalls. */
  public void thaw() {
    if (frozen) {
      frozen = false;
      goOn(Duration.ZERO);
    }
  }

  /** As {@link #freeze}, beside other stalls: each ends with {@link #goOn}. */
  public void stall() {
    if (stalls++ == 0) {
      stalledAt = machine.monotonic();
    }
  }

  /** {@return the reading of {@link #nanoTime} at which it last stalled} */
  public long stalledAt() {
    return stalledAt;
  }

  /** Ends a stall, of which its threads waited for a CPU for some time. */
  public void goOn(Duration wait) {
    waited += wait.toNanos();
    if (--stalls > 0) {
      return;
    }
    List<Runnable> waiting = List.copyOf(held);
    held.clear();
    waiting.forEach(this::schedule);
  }

  /** {@return how many nanoseconds its threads waited for a CPU} */
  public long waitedNanos() {
    return waited;
  }

  /**
   * Starts a thread.
   *
   * @param task what it does; may wait
   */
  public void start(String thread, Runnable task) {
    ofVirtual().name(thread).start(task);
  }

  /**
   * Runs a task of this process after everything that was handed in before, without a thread.
   *
   * @param task must not wait
   */
  public void execute(Runnable task) {
    schedule(task);
  }

  /**
   * Runs a task of this process at a moment of its own clock, without a thread.
   *
   * @param monotonicNanos a reading of {@link #nanoTime}; a past one means as soon as possible
   * @param task must not wait
   */
  public void at(long monotonicNanos, Runnable task) {
    if (killed) {
      return;
    }
    world.at(
        machine.worldTime(monotonicNanos),
        this,
        () -> {
          if (machine.isSuspended()) {
            machine.whenAwake(() -> at(monotonicNanos, task));
          } else if (machine.monotonic() < monotonicNanos) {
            at(monotonicNanos, task); // the machine stood still, or its clock was slowed
          } else if (stalls > 0) {
            held.add(task);
          } else {
            task.run(); // at once: nothing is ready while an event happens
          }
        });
  }

  /** Adds a line to the trace of the world. */
  public void trace(String what) {
    world.trace().add(world.now(), name, what);
  }

  private void schedule(Runnable thread) {
    world.requireOwnThread();
    if (killed) {
      return;
    }
    if (stalls > 0) {
      held.add(thread);
    } else {
      world.ready(() -> {
        if (stalls > 0) {
          held.add(thread);
        } else if (!killed) {
          run(thread);
        }
      });
    }
  }

  private void run(Runnable thread) {
    running = this;
    try {
      thread.run();
    } finally {
      running = null;
    }
  }

  /** Runs an action of this process after a time on its own clock. */
  private void plan(Duration delay, Runnable action) {
    long nanos = delay.compareTo(LONGEST) < 0 ? delay.toNanos() : LONGEST.toNanos();
    at(machine.monotonic() + nanos, action);
  }

  @Override
  public long nanoTime() {
    return machine.monotonic();
  }

  @Override
  public Instant wallTime() {
    return machine.wall();
  }

  @Override
  public long suspendedNanos() {
    return machine.suspended();
  }

  @Override
  public Threads threads() {
    return this;
  }

  @Override
  public Thread.Builder ofVirtual() {
    try {
      return Builders.SCHEDULED
          .newInstance(scheduler)
          .uncaughtExceptionHandler((_, failure) -> world.failed(failure));
    } catch (ReflectiveOperationException missing) {
      throw new IllegalStateException("cannot create a virtual thread with a scheduler", missing);
    }
  }

  @Override
  public Thread.Builder ofPlatform() {
    return ofVirtual();
  }

  @Override
  public void sleep(Duration length) throws InterruptedException {
    if (length.compareTo(Duration.ZERO) > 0) {
      CompletableFuture<Void> over = new CompletableFuture<>();
      plan(length, () -> over.complete(null));
      try {
        over.get();
      } catch (ExecutionException impossible) {
        throw new IllegalStateException(impossible);
      }
    }
  }

  @Override
  public <T> T get(CompletableFuture<T> future, Duration timeout)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (!future.isDone() && timeout.compareTo(Duration.ZERO) > 0) {
      CompletableFuture<Void> over = new CompletableFuture<>();
      plan(timeout, () -> over.complete(null));
      var _ = future.whenComplete((_, _) -> over.complete(null));
      over.get();
    }
    if (!future.isDone()) {
      throw new TimeoutException();
    }
    return future.get();
  }

  @Override
  public boolean await(CountDownLatch latch, Duration timeout) throws InterruptedException {
    return latch.getCount() == 0 || awaited(latch::await, timeout) || latch.getCount() == 0;
  }

  @Override
  public boolean awaitEnd(ExecutorService executor, Duration timeout) throws InterruptedException {
    return executor.isTerminated()
        || awaited(() -> executor.awaitTermination(Long.MAX_VALUE, TimeUnit.NANOSECONDS), timeout)
        || executor.isTerminated();
  }

  /** A wait without a limit of its own. */
  @FunctionalInterface
  private interface Wait {
    void until() throws InterruptedException;
  }

  private boolean awaited(Wait wait, Duration timeout) throws InterruptedException {
    if (timeout.compareTo(Duration.ZERO) <= 0) {
      return false;
    }
    CompletableFuture<Void> open = new CompletableFuture<>();
    Thread waiter =
        ofVirtual()
            .start(() -> {
              try {
                wait.until();
              } catch (InterruptedException enough) {
                // the caller has stopped waiting
              }
              open.complete(null);
            });
    try {
      get(open, timeout);
      return true;
    } catch (TimeoutException late) {
      return false;
    } catch (ExecutionException impossible) {
      throw new IllegalStateException(impossible);
    } finally {
      waiter.interrupt();
    }
  }

  @Override
  public <T extends @Nullable Object> CompletableFuture<T> completeOnTimeout(
      CompletableFuture<T> future, T value, Duration timeout) {
    plan(timeout, () -> future.complete(value));
    return future;
  }

  @Override
  public Condition condition(Lock lock) {
    return new TimedCondition(lock);
  }

  /** A condition whose timed waits end by waking all waiting threads, which check the time. */
  @SuppressWarnings("WaitNotInLoop") // its callers loop, as those of any condition
  private final class TimedCondition implements Condition {
    private final Lock lock;
    private final Condition plain;

    /** The earliest planned end of a wait. It wakes all waiting threads, which then plan theirs. */
    private long planned = Long.MAX_VALUE;

    TimedCondition(Lock lock) {
      this.lock = lock;
      this.plain = lock.newCondition();
    }

    @Override
    public void await() throws InterruptedException {
      plain.await();
    }

    @Override
    public void awaitUninterruptibly() {
      plain.awaitUninterruptibly();
    }

    @Override
    public long awaitNanos(long nanos) throws InterruptedException {
      long due = machine.monotonic() + nanos;
      if (nanos > 0) {
        planWake(due);
        plain.await();
      }
      return due - machine.monotonic();
    }

    private void planWake(long due) {
      if (due >= planned) {
        return;
      }
      planned = due;
      at(
          due,
          () -> {
            if (planned != due) {
              return; // an earlier end was planned since
            }
            planned = Long.MAX_VALUE;
            if (lock.tryLock()) {
              wake();
            } else { // held by a thread that waits meanwhile
              start(
                  "wake",
                  () -> {
                    lock.lock();
                    wake();
                  });
            }
          });
    }

    private void wake() {
      try {
        plain.signalAll();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public boolean await(long time, TimeUnit unit) throws InterruptedException {
      return awaitNanos(unit.toNanos(time)) > 0;
    }

    @Override
    public boolean awaitUntil(Date deadline) {
      throw new UnsupportedOperationException("waits until a wall time");
    }

    @Override
    public void signal() {
      plain.signal();
    }

    @Override
    public void signalAll() {
      plain.signalAll();
    }
  }

  /**
   * The JDK creates virtual threads with another scheduler for its own tests only; this needs
   * {@code --add-opens java.base/java.lang=ALL-UNNAMED}.
   */
  private static final class Builders {
    static final Constructor<? extends Thread.Builder> SCHEDULED = find();

    private static Constructor<? extends Thread.Builder> find() {
      try {
        Constructor<? extends Thread.Builder> found =
            Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder")
                .asSubclass(Thread.Builder.class)
                .getDeclaredConstructor(Executor.class);
        found.setAccessible(true);
        return found;
      } catch (ReflectiveOperationException missing) {
        throw new IllegalStateException(
            "this JDK has no virtual threads with a scheduler", missing);
      }
    }
  }
}
