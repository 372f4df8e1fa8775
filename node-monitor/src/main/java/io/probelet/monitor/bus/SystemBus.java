package io.probelet.monitor.bus;

import io.probelet.monitor.availability.UnavailableException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A connection to D-Bus: queries and restarts systemd units and reboots through logind. For one
 * thread; interrupting it closes the connection.
 */
public interface SystemBus extends AutoCloseable {
  /**
   * A unit of systemd.
   *
   * @param name such as kubelet.service
   * @param load loaded, not-found, masked and so on
   * @param active active, activating, reloading, inactive, failed and so on
   * @param job the number of the running or queued systemd job; 0 for none
   */
  record Unit(String name, String load, String active, int job) {
    /** {@return whether there is no such unit} */
    public boolean isNotFound() {
      return load.equals("not-found");
    }
  }

  /**
   * Connects and greets.
   *
   * @throws UnavailableException if the bus denies access
   * @throws IOException if it cannot be reached; the message is for the user
   */
  static SystemBus connect(Path socket) throws IOException {
    return SocketBus.connect(socket);
  }

  /**
   * Asks for units.
   *
   * @return one for each; those that do not exist are not-found
   * @throws UnavailableException if there is no systemd, or access is denied
   * @throws IOException if the reply is invalid
   */
  List<Unit> units(List<String> names) throws IOException;

  /**
   * Restarts a unit, or starts it if it is not active; returns when the job is queued.
   *
   * @throws UnavailableException if there is no systemd, or access is denied
   * @throws IOException if systemd refuses; the message is for the user
   */
  void restart(String unit) throws IOException;

  /**
   * Reboots the machine through logind; returns when the reboot has begun.
   *
   * @param kexec whether to boot the kernel that kexec has loaded; no effect if there is none
   * @throws UnavailableException if there is no logind, or access is denied
   * @throws IOException if logind refuses; the message is for the user
   */
  void reboot(boolean kexec) throws IOException;

  @Override
  void close() throws IOException;
}
