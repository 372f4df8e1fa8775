package io.probelet.agent.order;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A dbus-daemon of a test's own; the test is skipped where there is none. */
public final class BusDaemon implements AutoCloseable {
  private static final Path PROGRAM = Path.of("/usr/bin/dbus-daemon");

  private final Path socket;
  private final Process process;

  private BusDaemon(Path socket, Process process) {
    this.socket = socket;
    this.process = process;
  }

  static BusDaemon start(Path folder) throws IOException {
    return listeningAt(folder.resolve("bus"));
  }

  /** Starts one with this socket, in a folder that is there. */
  public static BusDaemon listeningAt(Path socket) throws IOException {
    assumeTrue(
        Files.isExecutable(PROGRAM), "takes dbus-daemon, which the Debian package dbus-daemon has");
    Process process =
        new ProcessBuilder(
                PROGRAM.toString(), "--session", "--nofork", "--address=unix:path=" + socket)
            .inheritIO()
            .start();
    await().ignoreExceptions().until(() -> Files.exists(socket));
    return new BusDaemon(socket, process);
  }

  public Path socket() {
    return socket;
  }

  @Override
  public void close() {
    process.destroyForcibly();
    await().until(() -> !process.isAlive());
  }
}
