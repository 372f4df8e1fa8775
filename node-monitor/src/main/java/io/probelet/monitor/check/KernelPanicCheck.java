package io.probelet.monitor.check;

import io.probelet.monitor.availability.Obstacle;
import io.probelet.monitor.availability.UnavailableException;
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
import java.util.Set;
import java.util.stream.Stream;

/**
 * Finds records of kernel panics in pstore, or where systemd moves them at the next boot. Without a
 * pstore, finding no record is no evidence.
 */
final class KernelPanicCheck implements NodeCheck {
  private static final Path ARCHIVE = Path.of("/var/lib/systemd/pstore");
  private static final int DEPTH = 3;
  private static final String OOPS = "Oops#";
  private static final String PSTORE = "pstore";

  /** The kernel's text for an unset parameter. */
  private static final Set<String> WITHOUT_BACKEND = Set.of("", "(null)");

  private final Duration within;
  private final Machine machine;

  KernelPanicCheck(Duration within, Machine machine) {
    this.within = within;
    this.machine = machine;
  }

  @Override
  public NodeCheckResult run() throws IOException {
    machine.requireNodeFiles(); // a container's own sysfs has no pstore, even if the kernel has
    // records
    Instant since = machine.time().wallTime().minus(within);
    Path store = machine.sys().resolve("fs/pstore");
    for (Path place : List.of(machine.seen(ARCHIVE), store)) {
      if (isRecordedIn(place, since)) {
        return new NodeCheckResult.Problem("kernel panic recorded in " + place);
      }
    }
    requireStore(store);
    return NodeCheckResult.OK;
  }

  /** B-17: a panic would have left a record. */
  private void requireStore(Path store) throws IOException {
    if (!Files.isDirectory(store) || !machine.kernel().filesystem(store).equals(PSTORE)) {
      throw new UnavailableException(
          Obstacle.NOT_THERE,
          "pstore is not mounted on " + store + ": kernel panics leave no record there");
    }
    Path backend = machine.sys().resolve("module/pstore/parameters/backend");
    if (Files.exists(backend)
        && WITHOUT_BACKEND.contains(Files.readString(backend, StandardCharsets.US_ASCII).strip())) {
      throw new UnavailableException(
          Obstacle.NOT_THERE,
          "pstore has no backend: kernel panics leave no record (" + backend + ")");
    }
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

  /** The kernel also records less severe problems; the first word names the kind. */
  private static boolean isOops(Path file) throws IOException {
    try (InputStream content = Files.newInputStream(file)) {
      return new String(content.readNBytes(OOPS.length()), StandardCharsets.ISO_8859_1)
          .equals(OOPS);
    }
  }
}
