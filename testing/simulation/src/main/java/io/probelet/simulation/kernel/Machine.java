package io.probelet.simulation.kernel;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A machine's clocks, which may run fast or slow, be stepped, and stand still while the machine is
 * frozen or suspended.
 */
public final class Machine {
  /** The wall time at the beginning of each world. */
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private static final double NOMINAL = 1;
  private static final long AWAKE = -1;

  private final Simulation world;
  private final String name;
  private double rate = NOMINAL;
  private long rateSince;
  private long monotonicThen;
  private Instant wallAtZero = START;
  private long suspended;
  private long lastStep = Long.MIN_VALUE;
  private long asleepSince = AWAKE;
  private final List<Runnable> onWaking = new ArrayList<>();

  /**
   * Creates a machine that has just booted, with correct clocks.
   *
   * @param world where it is
   * @param name its name
   */
  public Machine(Simulation world, String name) {
    this.world = world;
    this.name = name;
    rateSince = world.now();
    wallAtZero = START.plusNanos(world.now());
  }

  /** {@return its name} */
  public String name() {
    return name;
  }

  Simulation world() {
    return world;
  }

  /** {@return nanoseconds since it booted, as its own clock counts them} */
  public long monotonic() {
    long until = isSuspended() ? asleepSince : world.now();
    return monotonicThen + Math.round((until - rateSince) * rate);
  }

  /** {@return its wall time} */
  public Instant wall() {
    return wallAtZero.plusNanos(monotonic() + suspended);
  }

  /** {@return nanoseconds of suspension since it booted} */
  public long suspended() {
    return suspended;
  }

  /**
   * Lets its clock run at another rate from now on.
   *
   * @param perMillion how many millionths faster; negative for slower
   */
  public void drift(double perMillion) {
    monotonicThen = monotonic();
    rateSince = isSuspended() ? asleepSince : world.now();
    rate = NOMINAL + perMillion / 1e6;
  }

  /**
   * Steps the wall clock.
   *
   * @param step forward or back
   */
  public void stepWallClock(Duration step) {
    wallAtZero = wallAtZero.plus(step);
    lastStep = world.now();
  }

  /** {@return when its wall clock was stepped last, in the world's time; before all if never} */
  public long lastStep() {
    return lastStep;
  }

  /** {@return the world's time at which this machine's clock reaches a reading} */
  long worldTime(long monotonicNanos) {
    return rateSince + (long) Math.ceil((monotonicNanos - monotonicThen) / rate);
  }

  /**
   * Suspends the machine, as a laptop whose lid is closed: nothing runs, and its monotonic clock
   * stands still. Its processes have to be frozen before.
   */
  public void suspend() {
    asleepSince = world.now();
  }

  /** Ends the suspension: the wall clock has gone on, the monotonic clock has not. */
  public void resume() {
    long slept = world.now() - asleepSince;
    asleepSince = AWAKE;
    monotonicThen -= Math.round(slept * rate);
    suspended += slept;
    List<Runnable> late = List.copyOf(onWaking);
    onWaking.clear();
    late.forEach(Runnable::run);
  }

  /** {@return whether it is suspended} */
  public boolean isSuspended() {
    return asleepSince != AWAKE;
  }

  /** Runs something once the machine is no longer suspended. */
  void whenAwake(Runnable action) {
    onWaking.add(action);
  }
}
