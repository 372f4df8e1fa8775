package io.probelet.simulation.api;

import io.probelet.simulation.kernel.Simulation;
import java.time.Duration;

/** A task that runs a while after it was planned, once however often it is planned meanwhile. */
final class DelayedTask {
  private final Simulation world;
  private final Duration delay;
  private final Runnable task;
  private boolean planned;

  DelayedTask(Simulation world, Duration delay, Runnable task) {
    this.world = world;
    this.delay = delay;
    this.task = task;
  }

  void plan() {
    if (!planned) {
      planned = true;
      world.after(
          delay,
          () -> {
            planned = false;
            task.run();
          });
    }
  }
}
