package io.probelet.system;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.probelet.health.SystemClock;
import io.probelet.kube.certificate.CertificateAuthority;
import io.probelet.runtime.cri.ContainerAccess.Mount;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;

/**
 * A folder that is mounted in place of a node's root directory and has what a test machine has not:
 * a journal, a certificate of a kubelet behind a link, a pstore, a system bus. And a kubelet that
 * says it is well.
 */
final class PreparedNode implements AutoCloseable {
  private static final Path DBUS = Path.of("/usr/bin/dbus-daemon");
  private static final Path JOURNAL = Path.of("/lib/systemd/systemd-journal-remote");
  private static final String MACHINE = "0123456789abcdef0123456789abcdef";
  private static final int KUBELET_PORT = 10248;

  private final Path root;
  private final HttpServer kubelet;
  private final Process bus;

  PreparedNode(Path root) throws Exception {
    assumeTrue(Files.isExecutable(DBUS) && Files.isExecutable(JOURNAL), "takes D-Bus and journals");
    this.root = root;
    for (String folder : List.of("proc", "run/dbus", "etc", "sys/fs/pstore", "tmp")) {
      Files.createDirectories(root.resolve(folder));
    }
    Files.copy(Path.of("/etc/resolv.conf"), root.resolve("etc/resolv.conf"));
    Files.writeString(root.resolve("etc/machine-id"), MACHINE + "\n");
    Path memory = Files.createDirectories(root.resolve("sys/devices/system/edac/mc/mc0"));
    Files.writeString(memory.resolve("ue_count"), "0\n");
    certificate();
    journal();
    kubelet =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), KUBELET_PORT), 8);
    kubelet.createContext(
        "/healthz",
        exchange -> {
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    kubelet.start();
    Path socket = root.resolve("run/dbus/system_bus_socket");
    bus =
        new ProcessBuilder(
                DBUS.toString(), "--session", "--nofork", "--address=unix:path=" + socket)
            .redirectErrorStream(true)
            .redirectOutput(Redirect.DISCARD)
            .start();
    run("mount", "-t", "pstore", "pstore", root.resolve("sys/fs/pstore").toString());
  }

  Path root() {
    return root;
  }

  /** The machine's own /proc: a procfs cannot be prepared. */
  Mount[] extraMounts() {
    return new Mount[] {new Mount("/host/proc", Path.of("/proc"), true, false)};
  }

  private void certificate() throws Exception {
    Path folder = Files.createDirectories(root.resolve("var/lib/kubelet/pki"));
    byte[] der =
        CertificateAuthority.make("node", SystemClock.INSTANCE.wallTime(), Duration.ofDays(30))
            .certificate()
            .getEncoded();
    Files.writeString(
        folder.resolve("kubelet-client-2026.pem"),
        "-----BEGIN CERTIFICATE-----\n"
            + Base64.getMimeEncoder().encodeToString(der)
            + "\n-----END CERTIFICATE-----\n");
    Files.createSymbolicLink(
        folder.resolve("kubelet-client-current.pem"),
        Path.of("/var/lib/kubelet/pki/kubelet-client-2026.pem"));
  }

  private void journal() throws Exception {
    Path folder = Files.createDirectories(root.resolve("var/log/journal").resolve(MACHINE));
    Process writer =
        new ProcessBuilder(JOURNAL.toString(), "--output=" + folder.resolve("system.journal"), "-")
            .redirectErrorStream(true)
            .redirectOutput(Redirect.DISCARD)
            .start();
    try (OutputStream to = writer.getOutputStream()) {
      to.write(
          """
          __REALTIME_TIMESTAMP=1700000000000000
          __MONOTONIC_TIMESTAMP=1000000
          _BOOT_ID=fedcba9876543210fedcba9876543210
          _MACHINE_ID=%s
          SYSLOG_IDENTIFIER=systemd
          MESSAGE=Started something.

          """
              .formatted(MACHINE)
              .getBytes(StandardCharsets.UTF_8));
    }
    writer.waitFor();
  }

  private static void run(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).inheritIO().start();
    if (process.waitFor() != 0) {
      throw new IOException(String.join(" ", command) + " failed");
    }
  }

  @Override
  public void close() throws IOException {
    kubelet.stop(0);
    bus.destroyForcibly().onExit().join();
    try {
      run("umount", "-l", root.resolve("sys/fs/pstore").toString());
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
  }
}
