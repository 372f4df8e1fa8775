package io.probelet.monitor.journal;

import io.probelet.monitor.availability.Obstacle;
import io.probelet.monitor.availability.UnavailableException;
import io.probelet.monitor.rule.JournalFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The location of a journal.
 *
 * @param root the node's root directory: {@code /}, or a mount in a container
 * @param directory where the journal's files are on the node; empty for the machine's own
 */
public record JournalPlace(Path root, String directory) {
  private static final Path HERE = Path.of("/");
  private static final Path MACHINE_ID = Path.of("etc/machine-id");
  private static final Pattern ID = Pattern.compile("[0-9a-f]{32}");

  private static final int MAX_ID_BYTES = 64;

  /** {@return the folders that may contain it, as seen from here} */
  public List<Path> folders() {
    return JournalFiles.folders(root, directory);
  }

  /**
   * Rejects a missing or unreadable journal, which would look like silence (B-15).
   *
   * @throws IOException if there is no journal, or permission is denied; the message is for the
   *     user
   */
  public void requireReadable() throws IOException {
    List<Path> folders = folders();
    if (!JournalFiles.areIn(folders)) {
      throw new UnavailableException(
          Obstacle.NOT_THERE,
          "cannot read the journal: none found in "
              + folders.stream().map(Path::toString).collect(Collectors.joining(" or ")));
    }
    Optional<Path> closed = JournalFiles.unreadable(folders, Files::isReadable);
    if (closed.isPresent()) {
      throw new UnavailableException(
          Obstacle.NOT_PERMITTED,
          "cannot read the journal: permission denied for "
              + closed.get()
              + "; requires root or membership in systemd-journal");
    }
  }

  /** {@return the same as options of journalctl, possibly none} */
  public List<String> options() {
    Optional<Path> named = named();
    if (named.isPresent()) {
      return List.of("--directory=" + named.get());
    }
    return root.equals(HERE) ? List.of() : List.of("--root=" + root);
  }

  /** {@return the configured folder, as seen from here; empty if none} */
  Optional<Path> named() {
    return directory.isEmpty() ? Optional.empty() : Optional.of(folders().getFirst());
  }

  /**
   * {@return the ID of the machine whose entries are read; empty for all entries of the folder}
   *
   * <p>Journals of containers with their own machine ID may be in the same folder; they contain no
   * evidence about the node.
   */
  Optional<String> machine() {
    if (!directory.isEmpty()) {
      return Optional.empty();
    }
    try (var in = Files.newInputStream(root.resolve(MACHINE_ID))) {
      String id = new String(in.readNBytes(MAX_ID_BYTES), StandardCharsets.US_ASCII);
      return Optional.of(id.strip())
          .filter(read -> ID.matcher(read).matches())
          .filter(
              read -> folders().stream().anyMatch(each -> Files.isDirectory(each.resolve(read))));
    } catch (IOException unknown) {
      return Optional.empty();
    }
  }
}
