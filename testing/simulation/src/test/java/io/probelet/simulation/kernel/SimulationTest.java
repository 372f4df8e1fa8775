package io.probelet.simulation.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.Alarm;
import io.probelet.health.SerialLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SimulationTest {
  private final Simulation world = new Simulation(1);
  private final Machine machine = new Machine(world, "node");
  private final SimulatedProcess process = new SimulatedProcess(machine, "agent");
  private final List<String> seen = new ArrayList<>();

  private void saw(String what) {
    seen.add(Duration.ofNanos(world.now()).toSeconds() + " " + what);
  }

  @Test
  @DisplayName("a production loop runs its alarms in virtual time, on the simulation's thread")
  void loop() {
    SerialLoop loop = SerialLoop.start(process, "loop", 5, world::failed);
    Alarm[] alarm = new Alarm[1];
    alarm[0] =
        loop.alarm(() -> {
          saw("ring");
          alarm[0].set(Duration.ofSeconds(10));
        });
    alarm[0].set(Duration.ofSeconds(3));
    loop.execute(() -> saw("task"));
    world.run(Duration.ofSeconds(25));
    assertThat(seen).containsExactly("0 task", "3 ring", "13 ring", "23 ring");
    assertThat(world.failures()).isEmpty();
  }

  @Test
  @DisplayName("a killed process never runs again, a frozen one resumes")
  void killed() {
    process.start("a", () -> repeat(process, "a"));
    SimulatedProcess other = new SimulatedProcess(machine, "other");
    other.start("b", () -> repeat(other, "b"));
    world.after(Duration.ofSeconds(5), process::kill);
    world.after(Duration.ofSeconds(5), other::freeze);
    world.after(Duration.ofSeconds(9), other::thaw);
    world.run(Duration.ofSeconds(12));
    assertThat(seen).containsExactly("2 a", "2 b", "4 a", "4 b", "9 b", "11 b");
  }

  private void repeat(SimulatedProcess of, String what) {
    try {
      while (true) {
        of.sleep(Duration.ofSeconds(2));
        saw(what);
      }
    } catch (InterruptedException end) {
      world.failed(end);
    }
  }

  @Test
  @DisplayName("timed waits for latches and futures follow a clock that drifts or is stepped")
  void waits() {
    CountDownLatch latch = new CountDownLatch(1);
    process.start(
        "a",
        () -> {
          try {
            saw("latch " + process.await(latch, Duration.ofSeconds(2)));
            saw("latch " + process.await(latch, Duration.ofSeconds(9)));
            process.get(new CompletableFuture<>(), Duration.ofSeconds(1));
          } catch (TimeoutException late) {
            saw("late");
          } catch (Exception other) {
            world.failed(other);
          }
        });
    world.after(Duration.ofSeconds(5), latch::countDown);
    world.run(Duration.ofSeconds(10));
    assertThat(seen).containsExactly("2 latch false", "5 latch true", "6 late");
    machine.drift(1_000_000);
    machine.stepWallClock(Duration.ofHours(-1));
    process.start("b", () -> repeat(process, "b"));
    world.run(Duration.ofSeconds(4));
    assertThat(seen).endsWith("11 b", "12 b", "13 b", "14 b");
    assertThat(machine.wall()).isEqualTo(Machine.START.plusSeconds(10 + 8 - 3600));
    assertThat(world.failures()).isEmpty();
  }

  @Test
  @DisplayName("a suspended machine runs nothing, and only its wall clock advances")
  void suspended() {
    process.at(Duration.ofSeconds(4).toNanos(), () -> saw("due"));
    process.start("a", () -> repeat(process, "a"));
    world.after(
        Duration.ofSeconds(3),
        () -> {
          process.freeze();
          machine.suspend();
        });
    world.after(
        Duration.ofSeconds(60),
        () -> {
          machine.resume();
          process.thaw();
        });
    world.run(Duration.ofSeconds(62));
    assertThat(seen).containsExactly("2 a", "61 due", "61 a");
    assertThat(process.nanoTime()).isEqualTo(Duration.ofSeconds(5).toNanos());
    assertThat(process.suspendedNanos()).isEqualTo(Duration.ofSeconds(57).toNanos());
    assertThat(machine.wall()).isEqualTo(Machine.START.plusSeconds(62));
  }
}
