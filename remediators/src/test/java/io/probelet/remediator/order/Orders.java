package io.probelet.remediator.order;

import io.probelet.remediator.resource.RebootMode;
import java.time.Duration;
import java.util.List;

/** Orders for tests, as they usually are. */
final class Orders {
  static final String BOOT = "b00t-1";
  static final OrderOwner OWNER =
      new OrderOwner("ServiceRestartRemediation", "medik8s", "worker-1", "uid-of-remediation");
  static final OrderAction RESTART = new OrderAction.RestartServices(List.of("kubelet.service"));
  static final OrderAction REBOOT = new OrderAction.Reboot(RebootMode.REBOOT);
  static final OrderAction DIAGNOSE = new OrderAction.Diagnose();

  private Orders() {}

  static OrderSpec spec(OrderAction action, boolean granted) {
    return new OrderSpec(action, BOOT, Duration.ofMinutes(1), "Ready=False", OWNER, granted);
  }

  static NodeOrder draft(OrderAction action) {
    return NodeOrder.draft("probelet-system", "worker-1", spec(action, false));
  }

  static NodeOrder seen(OrderAction action, boolean granted, OrderPhase phase, String boot) {
    return new NodeOrder(
        "probelet-system",
        "worker-1",
        "uid-1",
        "7",
        false,
        spec(action, granted),
        new OrderStatus(phase, boot, ""));
  }

  static NodeOrder seen(OrderAction action, boolean granted, OrderPhase phase) {
    return seen(action, granted, phase, phase == OrderPhase.NONE ? "" : BOOT);
  }
}
