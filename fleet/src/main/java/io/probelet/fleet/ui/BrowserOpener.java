package io.probelet.fleet.ui;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.probelet.process.GroupCommand;
import io.probelet.process.ProcessGroups;
import io.probelet.process.ProcessOutput;
import io.probelet.process.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Opens an address in the operator's browser. Every user of a machine can read the arguments of
 * every process, so the address goes to the browser in a file that only the operator may read.
 * Closing this removes the file; the browser stays.
 */
public final class BrowserOpener implements AutoCloseable {
  private static final String OPENER = "xdg-open";
  private static final List<String> SCREENS = List.of("DISPLAY", "WAYLAND_DISPLAY");
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /**
   * It has a session of its own, so that neither Ctrl-C nor the end of this program ends it. What
   * is left of a group when its leader ends is killed: this one ends when the session is there.
   */
  private static final String DETACHED =
      "setsid --fork /bin/sh -c 'echo; exec \"$0\" \"$1\" </dev/null >/dev/null 2>&1'"
          + " \"$0\" \"$1\" 2>/dev/null | { read -r begun; }";

  private final Path folder;
  private final Path file;

  private BrowserOpener(Path folder) {
    this.folder = folder;
    this.file = folder.resolve("probelet-ui.html");
  }

  /**
   * Opens an address, where there is a screen and a program that knows the browser.
   *
   * @param address letters, digits and punctuation of addresses only
   * @return to be closed at the end; empty if there is no browser
   * @throws IOException if there is one, but it could not be started
   * @throws InterruptedException if the caller is interrupted meanwhile
   */
  public static Optional<BrowserOpener> open(String address, Map<String, String> environment)
      throws IOException, InterruptedException {
    Optional<Path> opener = Programs.find(OPENER, environment.getOrDefault("PATH", ""));
    boolean screen =
        SCREENS.stream().anyMatch(name -> !environment.getOrDefault(name, "").isEmpty());
    if (opener.isEmpty() || !screen) {
      return Optional.empty();
    }
    BrowserOpener browser = new BrowserOpener(Files.createTempDirectory("probelet-ui"));
    try {
      browser.show(opener.get(), address, environment);
      return Optional.of(browser);
    } catch (IOException | InterruptedException | RuntimeException failed) {
      browser.close();
      throw failed;
    }
  }

  private void show(Path opener, String address, Map<String, String> environment)
      throws IOException, InterruptedException {
    Files.writeString(
        file,
        """
        <!DOCTYPE html>
        <meta charset="utf-8">
        <meta name="referrer" content="no-referrer">
        <meta http-equiv="refresh" content="0; url=%1$s">
        <a href="%1$s">The cluster's page</a>
        """
            .formatted(address),
        UTF_8);
    GroupCommand command =
        GroupCommand.leading(
            List.of("/bin/sh", "-c", DETACHED, opener.toString(), file.toString()), environment);
    var _ = ProcessGroups.load().start(command, ProcessOutput.NONE).endWithin(TIMEOUT);
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(file);
    Files.deleteIfExists(folder);
  }
}
