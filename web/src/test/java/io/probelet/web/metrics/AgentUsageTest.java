package io.probelet.web.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.probelet.health.ManualClock;
import io.probelet.web.api.AgentView;
import io.probelet.web.api.GuardView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AgentUsageTest {
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");

  private final ManualClock clock = new ManualClock(START.plusSeconds(100));
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final AtomicLong cpu = new AtomicLong(10);
  private Optional<String> trouble = Optional.empty();
  private AgentView.Stalls stalls = AgentView.Stalls.NONE;
  private final AgentUsage usage =
      new AgentUsage(registry, "1.2", () -> trouble, () -> stalls, clock);

  private AgentView.Cpu cpu() throws InterruptedException {
    return Objects.requireNonNull(usage.view().cpu());
  }

  @Test
  @DisplayName("CPU is of the last minute if there is a sample, else since the start")
  void cpuTime() throws Exception {
    FunctionCounter.builder("process.cpu.seconds", cpu, AtomicLong::get).register(registry);
    Gauge.builder("process.start.time.seconds", START::getEpochSecond).register(registry);
    assertThat(cpu()).isEqualTo(new AgentView.Cpu(10, 10, 100));
    for (int second = 1; second <= 200; second++) {
      clock.advance(Duration.ofSeconds(1));
      cpu.set(second <= 100 ? 10 : second - 90);
      AgentView.Cpu now = cpu();
      assertThat(now.overSeconds()).isEqualTo(Math.min(second, 60));
    }
    assertThat(cpu().percent()).isEqualTo(100);
    clock.advance(Duration.ofHours(1));
    assertThat(cpu().overSeconds()).as("since somebody asked last").isEqualTo(3600);
  }

  @Test
  @DisplayName("Memory, queues, lag, stalls and the guard come from the agent's metrics")
  void fromMetrics() throws Exception {
    Gauge.builder("process.resident.memory.bytes", () -> 100).register(registry);
    Gauge.builder("jvm.memory.used.bytes", () -> 20).tag("area", "heap").register(registry);
    Gauge.builder("jvm.memory.max.bytes", () -> 50).tag("area", "heap").register(registry);
    Gauge.builder("process.open.fds", () -> 33).register(registry);
    QueueMetrics.add(registry, "probes", () -> 7);
    QueueMetrics.add(registry, "names", () -> 1, 16);
    Timer.builder("probelet.event.loop.lag")
        .tag("loop", "0")
        .register(registry)
        .record(Duration.ofMillis(3));
    Counter.builder("probelet.probes.discarded")
        .tag("reason", "stalled")
        .register(registry)
        .increment(4);
    FunctionCounter.builder("probelet.restarts.kept", cpu, AtomicLong::get)
        .tag("reason", "guard")
        .register(registry);
    stalls = new AgentView.Stalls(2, 3.5, "2026-11-21T12:00:30Z", 0);
    trouble = Optional.of("event loop 0: no answer within 700 ms");
    usage.show(() -> new GuardView(true, "", List.of(), Map.of()));
    assertThat(usage.view())
        .isEqualTo(
            new AgentView(
                "1.2",
                "",
                "event loop 0: no answer within 700 ms",
                null,
                new AgentView.Memory(100, 20, 50),
                33L,
                List.of(
                    new AgentView.Queue("names", 1, 16L), new AgentView.Queue("probes", 7, null)),
                List.of(new AgentView.Loop("0", 3, 3)),
                new AgentView.Stalls(2, 3.5, "2026-11-21T12:00:30Z", 4),
                new GuardView(true, "", List.of(), Map.of("guard", 10L)),
                null));
  }

  @Test
  @DisplayName("What is not known is left out, not zero")
  void unknown() throws Exception {
    Gauge.builder("process.resident.memory.bytes", () -> Double.NaN).register(registry);
    Gauge.builder("process.open.fds", () -> Double.NaN).register(registry);
    FunctionCounter.builder("process.cpu.seconds", cpu, _ -> Double.NaN).register(registry);
    AgentView view = usage.view();
    assertThat(view.cpu()).isNull();
    assertThat(view.memory()).isNull();
    assertThat(view.openFiles()).isNull();
    assertThat(view.guard()).isNull();
    assertThat(view.startTime()).isEmpty();
  }
}
