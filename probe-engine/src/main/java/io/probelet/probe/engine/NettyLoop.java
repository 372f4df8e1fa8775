package io.probelet.probe.engine;

import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import io.probelet.health.TimeSource;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A Netty event loop as a {@link ProbeLoop}.
 *
 * <p>Tasks run at the ends of fixed slots of 3 ms, never early: what falls due in one slot shares
 * one wake-up of the thread, and so do the answers to the probes that begin together. At 3,000
 * probes/s that saves about a quarter of the CPU time ({@code benchmarks/run tcp}). Deadlines are
 * kept to the nanosecond.
 */
public final class NettyLoop implements ProbeLoop {
  private final EventLoop eventLoop;
  private final TimeSource time;
  private final SlotTimers slots;
  private final Deadlines deadlines;

  /**
   * Wraps an event loop.
   *
   * @param eventLoop shut down by its owner, not by this
   * @param time the clocks to go by
   */
  public NettyLoop(EventLoop eventLoop, TimeSource time) {
    this.eventLoop = eventLoop;
    this.time = time;
    slots = new SlotTimers(time, this::alarm);
    deadlines = new Deadlines(time, this::alarm);
  }

  @Override
  public void execute(Runnable task) {
    eventLoop.execute(task);
  }

  @Override
  public Timer at(long dueNanos, Runnable task) {
    return eventLoop.inEventLoop()
        ? slots.at(dueNanos, task)
        : alarm(dueNanos + SlotTimers.untilSlotEnds(dueNanos), task);
  }

  @Override
  public RepeatedTimer timer(Runnable task) {
    return slots.timer(task);
  }

  /**
   * Runs a task on the loop once, after a while: for what mostly is called off before. Not rounded
   * to slots.
   *
   * @param delay greater than zero
   * @param task must not block
   * @return a handle to call it off, on the loop
   */
  public Timer deadline(Duration delay, Runnable task) {
    return eventLoop.inEventLoop()
        ? deadlines.in(delay, task)
        : alarm(time.nanoTime() + delay.toNanos(), task);
  }

  private Timer alarm(long dueNanos, Runnable task) {
    Future<?> scheduled =
        eventLoop.schedule(task, Math.max(0, dueNanos - time.nanoTime()), TimeUnit.NANOSECONDS);
    return () -> scheduled.cancel(false);
  }

  @Override
  public TimeSource time() {
    return time;
  }

  @Override
  public List<LongSupplier> processorWaits() {
    return List.of(KernelWaitReader.waitsOfThread(), KernelWaitReader.throttling());
  }

  @Override
  public LongSupplier codePreparation() {
    ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
    CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
    return compiler == null || !compiler.isCompilationTimeMonitoringSupported()
        ? classes::getTotalLoadedClassCount
        : () -> classes.getTotalLoadedClassCount() + compiler.getTotalCompilationTime();
  }
}
