package io.probelet.runtime.cri;

import static org.awaitility.Awaitility.await;

import io.probelet.health.ReservedPort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A containerd of our own with an image in it: own root, state and socket in one directory, which
 * disappears with it. Nothing is shared with a containerd that runs on the machine already.
 */
public final class PrivateContainerd implements AutoCloseable {
  private static final List<String> PROGRAMS = List.of("containerd", "ctr", "runc", "busybox");

  private final Path directory;
  private final ReservedPort tcpPort = new ReservedPort();
  private Process process;

  private PrivateContainerd(Path directory) throws IOException {
    this.directory = directory;
  }

  /** {@return why this machine cannot run containers; empty if it can} */
  public static Optional<String> obstacle() {
    if (!System.getProperty("os.name").equals("Linux")) {
      return Optional.of("not on Linux");
    }
    if (!"root".equals(System.getProperty("user.name"))) {
      return Optional.of("not root");
    }
    return PROGRAMS.stream()
        .filter(each -> !installed(each))
        .findFirst()
        .map(each -> each + " is not installed");
  }

  private static boolean installed(String program) {
    return Stream.of("/usr/bin", "/bin", "/usr/sbin", "/sbin", "/usr/local/bin")
        .anyMatch(each -> Files.isExecutable(Path.of(each, program)));
  }

  /** Starts one and imports the image. */
  public static PrivateContainerd start() throws IOException, InterruptedException {
    // A short path: socket paths end at 108 bytes.
    PrivateContainerd containerd = new PrivateContainerd(Files.createTempDirectory("probelet-cri"));
    try {
      containerd.configure();
      containerd.boot();
      containerd.ctr("images", "import", BusyboxImage.in(containerd.directory).toString());
      return containerd;
    } catch (IOException | InterruptedException | RuntimeException failed) {
      containerd.close();
      throw failed;
    }
  }

  private void configure() throws IOException {
    Files.writeString(
        directory.resolve("config.toml"),
        """
        version = 2
        root = "%1$s/root"
        state = "%1$s/state"
        [grpc]
          address = "%1$s/c.sock"
          tcp_address = "127.0.0.1:%3$d"
        [ttrpc]
          address = "%1$s/c.ttrpc"
        [plugins."io.containerd.grpc.v1.cri"]
          sandbox_image = "%2$s"
          restrict_oom_score_adj = true
          [plugins."io.containerd.grpc.v1.cri".cni]
            bin_dir = "%1$s/cni"
            conf_dir = "%1$s/cni"
        """
            .formatted(directory, BusyboxImage.NAME, tcpPort()));
  }

  /** {@return a port of 127.0.0.1 where it speaks gRPC, too} */
  int tcpPort() {
    return tcpPort.number();
  }

  /** Starts the daemon, the first time or again, and waits until it answers. */
  public void boot() throws IOException, InterruptedException {
    process =
        new ProcessBuilder("containerd", "--config", directory.resolve("config.toml").toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("log").toFile()))
            .start();
    for (int tries = 0; tries < 200; tries++) {
      if (!process.isAlive()) {
        throw new IOException("containerd ended:\n" + Files.readString(directory.resolve("log")));
      }
      try {
        ctr("version");
        return;
      } catch (IOException notYet) {
        process.waitFor(50, TimeUnit.MILLISECONDS);
      }
    }
    throw new IOException("containerd does not answer");
  }

  /** Takes another image, from an archive. */
  public void importImage(Path archive) throws IOException, InterruptedException {
    ctr("images", "import", archive.toString());
  }

  private String ctr(String... arguments) throws IOException, InterruptedException {
    String[] command =
        Stream.concat(
                Stream.of("ctr", "--address", socket().toString(), "--namespace", "k8s.io"),
                Stream.of(arguments))
            .toArray(String[]::new);
    return Commands.run(command);
  }

  /** {@return where it listens} */
  public Path socket() {
    return directory.resolve("c.sock");
  }

  /** {@return its process id} */
  public long pid() {
    return process.pid();
  }

  /** Kills the daemon, as a crash would; containers go on. */
  public void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Sends the daemon a signal. */
  public void signal(String name) throws IOException, InterruptedException {
    Commands.run("kill", "-" + name, Long.toString(process.pid()));
  }

  @Override
  public void close() {
    try (tcpPort) {
      if (process != null) {
        kill(); // before its containers, or it would still be cleaning up after them below
      }
      endShims();
      unmount();
      delete();
    } catch (IOException failed) {
      throw new AssertionError("left behind: " + directory, failed);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends what containers are left, by the shims that hold this daemon's address. */
  private void endShims() {
    List<ProcessHandle> shims = ProcessHandle.allProcesses().filter(this::isOurShim).toList();
    List<ProcessHandle> contained =
        ProcessHandle.allProcesses()
            .filter(each -> each.parent().filter(shims::contains).isPresent())
            .toList();
    contained.forEach(ProcessHandle::destroyForcibly);
    shims.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle shim : shims) {
      shim.onExit().orTimeout(1, TimeUnit.MINUTES).exceptionally(_ -> shim).join();
    }
  }

  private boolean isOurShim(ProcessHandle handle) {
    try {
      String line = Files.readString(Path.of("/proc/" + handle.pid() + "/cmdline"));
      return line.contains("containerd-shim") && line.contains(socket().toString());
    } catch (IOException gone) {
      return false;
    }
  }

  private void unmount() throws IOException, InterruptedException {
    for (List<String> left = mounts(); !left.isEmpty(); left = mounts()) {
      List<String> command = new ArrayList<>(List.of("umount", "-l"));
      command.addAll(left);
      try {
        Commands.run(command.toArray(String[]::new));
      } catch (IOException failed) {
        if (mounts().size() >= left.size()) {
          throw failed;
        }
      }
    }
  }

  private List<String> mounts() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/mounts")).stream()
        .map(line -> line.split(" ", 3)[1])
        .filter(each -> each.startsWith(directory + "/"))
        .sorted(Comparator.comparingInt(String::length).reversed())
        .toList();
  }

  /** A program that a shim had started may live on for a moment and change things under us. */
  private void delete() {
    await()
        .ignoreExceptions()
        .until(() -> {
          try (Stream<Path> all = Files.walk(directory)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
              Files.deleteIfExists(each);
            }
          }
          return true;
        });
  }
}
