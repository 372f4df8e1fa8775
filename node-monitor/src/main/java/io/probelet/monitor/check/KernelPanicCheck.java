package io.probelet.monitor.check;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * Finds what a dying kernel has written down: in its own store, or where systemd moves that at the
 * next boot.
 */
final class KernelPanicCheck implements NodeCheck {
  private static final Path ARCHIVE = Path.of("/var/lib/systemd/pstore");
  private static final int DEPTH = 3;
  private static final String OOPS = "Oops#";

  private final Duration within;
  private final Machine machine;

  KernelPanicCheck(Duration within, Machine machine) {
    this.within = within;
    this.machine = machine;
  }

  @Override
  public NodeCheckResult run() throws IOException {
    machine.demandFiles(); // a container's own sysfs has no pstore, whatever the kernel has written
    Instant since = machine.time().wallTime().minus(within);
    for (Path place : List.of(machine.sys().resolve("fs/pstore"), machine.seen(ARCHIVE))) {
      if (isRecordedIn(place, since)) {
        return new NodeCheckResult.Problem("a kernel panic is on record in " + place);
      }
    }
    return NodeCheckResult.OK;
  }

  private static boolean isRecordedIn(Path place, Instant since) throws IOException {
    try (Stream<Path> files =
        Files.find(
            place,
            DEPTH,
            (file, attributes) ->
                attributes.isRegularFile()
                    && file.getFileName().toString().startsWith("dmesg")
                    && attributes.lastModifiedTime().toInstant().isAfter(since))) {
      for (Path file : (Iterable<Path>) files::iterator) {
        if (!isOops(file)) {
          return true;
        }
      }
      return false;
    } catch (NoSuchFileException without) {
      return false;
    } catch (UncheckedIOException unreadable) {
      throw unreadable.getCause();
    }
  }

  /** The kernel writes down lesser evils too, and says in the first word what it was. */
  private static boolean isOops(Path file) throws IOException {
    try (InputStream content = Files.newInputStream(file)) {
      return new String(content.readNBytes(OOPS.length()), StandardCharsets.ISO_8859_1)
          .equals(OOPS);
    }
  }
}
