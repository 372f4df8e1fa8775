package io.probelet.agent.order;

import io.probelet.health.Threads;
import io.probelet.monitor.bus.SystemBus;
import io.probelet.monitor.check.Machine;
import io.probelet.remediator.order.OrderAction;
import io.probelet.remediator.order.OrderPhase;
import io.probelet.remediator.order.OrderSpec;
import io.probelet.remediator.order.OrderStatus;
import io.probelet.remediator.resource.KeptEvidence;
import io.probelet.remediator.resource.RebootMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Does what is ordered, on the thread of whoever asks. */
public final class NodeActions {
  private static final Path BUS = Path.of("/run/dbus/system_bus_socket");

  private final ServiceRestart services;
  private final NodeReboot reboot;
  private final EvidenceSource evidence;

  NodeActions(ServiceRestart services, NodeReboot reboot, EvidenceSource evidence) {
    this.services = services;
    this.reboot = reboot;
    this.evidence = evidence;
  }

  /** Acts on the machine this program runs on. */
  public static NodeActions on(Machine machine, EvidenceSource evidence) {
    Path socket = machine.seen(BUS);
    return by(
        () -> SystemBus.connect(socket),
        machine.proc().resolve("sysrq-trigger"),
        evidence,
        machine.time().threads());
  }

  /**
   * Acts on a machine.
   *
   * @param sysRq the kernel's file for magic keys
   * @param threads where it waits
   */
  public static NodeActions by(
      BusConnector bus, Path sysRq, EvidenceSource evidence, Threads threads) {
    return new NodeActions(
        new ServiceRestart(bus, threads::sleep),
        new NodeReboot(bus, sysRq, threads::sleep),
        evidence);
  }

  /**
   * Carries it out.
   *
   * @throws InterruptedException if the caller is interrupted, as time has run out
   */
  OrderStatus carryOut(OrderSpec spec, String bootId) throws InterruptedException {
    try {
      return switch (spec.action()) {
        case OrderAction.Diagnose() -> {
          KeptEvidence bundle = evidence.collect(spec.reason());
          yield new OrderStatus(OrderPhase.DONE, bootId, "evidence saved", bundle);
        }
        case OrderAction.RestartServices(List<String> units) ->
            new OrderStatus(OrderPhase.DONE, bootId, services.of(units));
        case OrderAction.Reboot(RebootMode mode) -> {
          reboot.of(mode, spec.timeout());
          throw new IllegalStateException("the reboot call returned");
        }
        case OrderAction.Unreadable(String problem) -> throw new IOException(problem);
      };
    } catch (IOException failed) {
      if (Thread.interrupted()) { // which closes a connection, and is an exception of its own there
        throw new InterruptedException();
      }
      return new OrderStatus(OrderPhase.FAILED, bootId, String.valueOf(failed.getMessage()));
    }
  }
}
