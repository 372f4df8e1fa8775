package io.probelet.agent.config;

import java.util.Set;

/**
 * What orders to this node may do.
 *
 * @param enabled whether there are any at all; settled when the agent starts
 * @param units the names of the units that may be restarted
 * @param reboot whether the node may be rebooted
 * @param kexec whether it may be rebooted into a loaded kernel
 * @param sysrq whether it may be rebooted without stopping anything
 */
public record OrderSettings(
    boolean enabled, Set<String> units, boolean reboot, boolean kexec, boolean sysrq) {
  /** The default: no actions are allowed. */
  public static final OrderSettings OFF =
      new OrderSettings(
          false,
          Set.of(
              "kubelet.service", "containerd.service", "crio.service", "systemd-networkd.service"),
          false,
          false,
          false);

  /** Keeps an unmodifiable copy of the names. */
  public OrderSettings {
    units = Set.copyOf(units);
  }
}
