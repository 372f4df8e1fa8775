package io.probelet.cli.browser;

import io.probelet.process.GroupCommand;
import io.probelet.process.ProcessGroup;
import io.probelet.process.ProcessGroups;
import io.probelet.process.ProcessOutput;
import io.probelet.process.Programs;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * Chromium without a window. Its profile is a folder of its own, it reaches nothing but this
 * machine, and at the end its whole process group is killed.
 */
final class Chromium implements AutoCloseable {
  private static final String PATH = System.getenv().getOrDefault("PATH", "");

  /** A busy machine takes a while. */
  private static final Duration START = Duration.ofMinutes(1);

  private final Path profile;
  private final ProcessGroup group;
  private final DevTools tools;

  private Chromium(Path profile, ProcessGroup group, DevTools tools) {
    this.profile = profile;
    this.group = group;
    this.tools = tools;
  }

  static boolean isInstalled() {
    return Programs.find("chromium", PATH).isPresent();
  }

  static Chromium start() throws IOException, InterruptedException {
    Path profile = Files.createTempDirectory("probelet-chromium");
    List<String> words =
        new ArrayList<>(
            List.of(
                "chromium",
                "--headless",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-extensions",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-breakpad",
                "--disable-crash-reporter",
                "--disable-sync",
                "--no-first-run",
                "--no-proxy-server",
                "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
                "--force-color-profile=srgb",
                "--hide-scrollbars",
                "about:blank"));
    if (isRoot()) {
      words.add(1, "--no-sandbox"); // which it refuses to run as root with
    }
    String home = profile.toString();
    Path log = profile.resolve("stderr.log");
    ProcessGroup group =
        ProcessGroups.load()
            .start(
                GroupCommand.leading(
                    words,
                    Map.of("PATH", PATH, "HOME", home, "TMPDIR", home, "XDG_RUNTIME_DIR", home)),
                ProcessOutput.to(OutputStream.nullOutputStream(), Files.newOutputStream(log)));
    try {
      Path port = profile.resolve("DevToolsActivePort");
      Awaitility.await()
          .atMost(START)
          .until(() ->
              !group.isAlive() || (Files.exists(port) && Files.readAllLines(port).size() > 1));
      if (!group.isAlive()) {
        throw new IOException(
            "chromium ended with " + group.waitFor() + ": " + Files.readString(log).strip());
      }
      List<String> lines = Files.readAllLines(port);
      URI address = URI.create("ws://127.0.0.1:" + lines.getFirst() + lines.get(1));
      return new Chromium(profile, group, new DevTools(address));
    } catch (IOException | RuntimeException failed) {
      end(group, profile);
      throw failed;
    }
  }

  private static boolean isRoot() throws IOException {
    return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
  }

  /** {@return an empty page that shares nothing with others} */
  BrowserTab open() {
    return new BrowserTab(tools);
  }

  @Override
  public void close() throws IOException {
    tools.close();
    end(group, profile);
  }

  private static void end(ProcessGroup group, Path profile) throws IOException {
    CompletableFuture<Integer> ended = new CompletableFuture<>();
    group.whenEnded(ended::complete);
    group.kill();
    ended.join();
    delete(profile);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    }
  }
}
