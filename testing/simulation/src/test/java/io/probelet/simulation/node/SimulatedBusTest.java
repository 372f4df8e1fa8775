package io.probelet.simulation.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.probelet.monitor.bus.SystemBus;
import io.probelet.simulation.api.SimulatedApiServer;
import io.probelet.simulation.kernel.SimulatedProcess;
import io.probelet.simulation.kernel.Simulation;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SimulatedBusTest {
  private final Simulation world = new Simulation(9);
  private final SimulatedNode node =
      new SimulatedNode(
          world, "node-a", 1, new SimulatedApiServer(world), (_, _) -> ContainerScript.HEALTHY);

  /** Something that is asked of the bus. */
  @FunctionalInterface
  private interface Request {
    void to(SystemBus bus) throws IOException;
  }

  private SimulatedProcess ask(Request request) {
    SimulatedProcess process = node.process("agent");
    process.start(
        "main",
        () -> {
          try (SystemBus bus = node.bus().connect(process)) {
            request.to(bus);
          } catch (IOException failed) {
            world.failed(failed);
          }
        });
    return process;
  }

  private void run(Duration length) {
    world.run(length);
    assertThat(world.failures()).isEmpty();
  }

  @Test
  @DisplayName("a reboot over the bus ends the processes and begins another boot")
  void reboot() {
    run(Duration.ofSeconds(1));
    String boot = node.bootId();
    SimulatedProcess asked = ask(bus -> bus.reboot(false));
    run(Duration.ofSeconds(10));
    assertThat(node.isOff()).isTrue();
    assertThat(asked.isKilled()).isTrue();
    run(Duration.ofMinutes(1));
    assertThat(node.bootId()).isNotEqualTo(boot);
    assertThat(node.boots()).isEqualTo(2);
    assertThat(node.bus().actions())
        .extracting(SimulatedBus.Action::what, SimulatedBus.Action::bootId)
        .containsExactly(tuple("reboot", boot));
  }

  @Test
  @DisplayName("restarts of units restart the kubelet and the runtime")
  void restart() {
    node.bus().unit("kubelet.service", "failed");
    run(Duration.ofSeconds(1));
    SimulatedProcess kubelet = node.kubelet().process();
    ask(bus -> {
      assertThat(bus.units(List.of("kubelet.service", "none.service")))
          .extracting(SystemBus.Unit::active, SystemBus.Unit::isNotFound)
          .containsExactly(tuple("failed", false), tuple("inactive", true));
      bus.restart("kubelet.service");
      bus.restart("containerd.service");
      assertThat(bus.units(List.of("kubelet.service")).getFirst().active()).isEqualTo("active");
    });
    run(Duration.ofSeconds(1));
    assertThat(kubelet.isKilled()).isTrue();
    assertThat(node.runtime().isDown()).isTrue();
    run(Duration.ofSeconds(5));
    assertThat(node.kubelet().process().isKilled()).isFalse();
    assertThat(node.runtime().isDown()).isFalse();
  }
}
