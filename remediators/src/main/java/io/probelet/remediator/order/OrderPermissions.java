package io.probelet.remediator.order;

import io.probelet.remediator.resource.RebootMode;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the administrator of a node lets orders do. Evidence may always be collected.
 *
 * @param units the names of the units that may be restarted
 * @param reboot whether the node may be rebooted
 * @param kexec whether it may be rebooted into a loaded kernel; needs {@code reboot} too
 * @param sysRq whether it may be rebooted without stopping anything; needs {@code reboot} too
 */
public record OrderPermissions(Set<String> units, boolean reboot, boolean kexec, boolean sysRq) {
  /** Keeps an unmodifiable copy of the names. */
  public OrderPermissions {
    units = Set.copyOf(units);
  }

  /**
   * Says why something is not permitted.
   *
   * @return the reason, for a user; empty if it is permitted
   */
  public Optional<String> objection(OrderAction action) {
    return switch (action) {
      case OrderAction.Diagnose() -> Optional.empty();
      case OrderAction.RestartServices(List<String> ordered) ->
          ordered.stream()
              .filter(unit -> !units.contains(unit))
              .findFirst()
              .map(unit -> unit + " is not in orders.units of the agent's configuration");
      case OrderAction.Reboot(RebootMode mode) ->
          reboot
              ? switch (mode) {
                case REBOOT -> Optional.empty();
                case KEXEC -> unless(kexec, "orders.kexec");
                case SYS_RQ -> unless(sysRq, "orders.sysrq");
              }
              : unless(false, "orders.reboot");
      case OrderAction.Unreadable(String problem) ->
          Optional.of("the order cannot be read: " + problem);
    };
  }

  private static Optional<String> unless(boolean on, String setting) {
    return on
        ? Optional.empty()
        : Optional.of(setting + " is not enabled in the agent's configuration");
  }
}
