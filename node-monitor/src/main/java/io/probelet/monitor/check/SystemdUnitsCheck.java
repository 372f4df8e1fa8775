package io.probelet.monitor.check;

import io.probelet.monitor.availability.Obstacle;
import io.probelet.monitor.availability.UnavailableException;
import io.probelet.monitor.bus.SystemBus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Queries the state of systemd units over D-Bus. */
final class SystemdUnitsCheck implements NodeCheck {
  private static final Path SOCKET = Path.of("/run/dbus/system_bus_socket");
  private static final List<String> USUAL =
      List.of("kubelet.service", "containerd.service", "crio.service", "docker.service");
  private static final Set<String> RUNNING = Set.of("active", "activating", "reloading");

  private final List<String> units;
  private final Machine machine;

  SystemdUnitsCheck(List<String> units, Machine machine) {
    this.units = units;
    this.machine = machine;
  }

  @Override
  public NodeCheckResult run() throws IOException {
    List<String> bad = new ArrayList<>();
    try (SystemBus bus = SystemBus.connect(socket())) {
      List<SystemBus.Unit> found = bus.units(units.isEmpty() ? USUAL : units);
      if (units.isEmpty() && found.stream().allMatch(SystemBus.Unit::isNotFound)) {
        throw new UnavailableException(
            Obstacle.NOT_THERE, "systemd has none of the units " + String.join(", ", USUAL));
      }
      for (SystemBus.Unit unit : found) {
        // A node has some of the default units, and not all of those must run.
        if (units.isEmpty() ? unit.active().equals("failed") : !RUNNING.contains(unit.active())) {
          bad.add(unit.name() + " is " + (unit.isNotFound() ? "not found" : unit.active()));
        }
      }
    }
    return bad.isEmpty() ? NodeCheckResult.OK : new NodeCheckResult.Problem(String.join(", ", bad));
  }

  private Path socket() throws IOException {
    Path socket = machine.seen(SOCKET);
    try {
      Files.readAttributes(socket, BasicFileAttributes.class);
      return socket;
    } catch (NoSuchFileException none) {
      machine.requireNodeFiles();
      throw new UnavailableException(Obstacle.NOT_THERE, "no D-Bus socket at " + socket, none);
    }
  }
}
