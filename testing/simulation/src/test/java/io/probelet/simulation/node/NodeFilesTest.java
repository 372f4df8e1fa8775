package io.probelet.simulation.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.agent.cluster.pods.StartedContainers;
import io.probelet.health.PrivateFiles;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ProbeListener.Probed;
import io.probelet.simulation.kernel.Machine;
import io.probelet.simulation.kernel.SimulatedProcess;
import io.probelet.simulation.kernel.Simulation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class NodeFilesTest {
  private static final PodRef POD = new PodRef("default", "web", "uid-1");

  private final Simulation world = new Simulation(3);
  private final Machine machine = new Machine(world, "node");
  private final NodeFiles files = new NodeFiles(machine::wall);

  private void write(String name, String content) throws IOException {
    PrivateFiles.replace(files.state().resolve(name), content.getBytes(UTF_8));
  }

  private String read(String name) throws IOException {
    return new String(PrivateFiles.read(files.state().resolve(name), 1_000), UTF_8);
  }

  @Test
  @DisplayName("the program's private files work on it, dated by the node's clock")
  void privateFiles() throws IOException {
    world.run(Duration.ofMinutes(1));
    write("deep/state", "one");
    write("deep/state", "two");
    assertThat(read("deep/state")).isEqualTo("two");
    assertThat(Files.getLastModifiedTime(files.state().resolve("deep/state")).toInstant())
        .isEqualTo(Machine.START.plusSeconds(60));
  }

  @Test
  @DisplayName("a loss of power loses what was written since the last sync, or a part of it")
  void power() throws IOException {
    Set<String> outcomes = new TreeSet<>();
    for (int round = 0; round < 60; round++) {
      world.run(Duration.ofSeconds(10));
      write("state", "old");
      files.sync();
      world.run(Duration.ofSeconds(1));
      write("state", "changed");
      Path log = files.state().resolve("log");
      write("log", "");
      files.sync();
      Files.writeString(log, "appended");
      files.losePower(world.random("power" + round));
      outcomes.add("state " + read("state"));
      outcomes.add(read("log").equals("appended") ? "log whole" : "log torn");
    }
    assertThat(outcomes).contains("state changed", "log whole");
    for (int round = 0; round < 60; round++) {
      world.run(Duration.ofSeconds(10));
      write("state", "old");
      files.sync();
      world.run(Duration.ofSeconds(1));
      write("state", "changed");
      files.losePower(world.random("again" + round));
      outcomes.add("state " + read("state"));
    }
    assertThat(outcomes).contains("state old", "state changed");
  }

  @Test
  @DisplayName("containers that have started are remembered over a kill with a torn write")
  void startedContainers() {
    SimulatedProcess first = new SimulatedProcess(machine, "agent");
    first.start(
        "main",
        () -> {
          StartedContainers started = new StartedContainers(files.state(), first);
          started.probed(
              new Probed(
                  new ProbeSubject(POD, "main", ProbeKind.STARTUP),
                  "id-1",
                  new ProbeOutcome(new Verdict.Success(""), ProbeTimings.of(0)),
                  1,
                  1,
                  Duration.ZERO,
                  Duration.ZERO));
        });
    world.run(Duration.ofSeconds(1));
    first.kill();
    for (int times = 0; times < 5; times++) {
      files.tearWrite(world.random("tear" + times));
    }
    assertThat(files.state().resolve("started-containers.json.new")).exists();
    SimulatedProcess second = new SimulatedProcess(machine, "agent");
    boolean[] known = new boolean[1];
    second.start(
        "main",
        () -> known[0] = new StartedContainers(files.state(), second).started(POD, "main", "id-1"));
    world.run(Duration.ofSeconds(1));
    assertThat(world.failures()).isEmpty();
    assertThat(known[0]).isTrue();
  }
}
