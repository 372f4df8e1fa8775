package io.probelet.monitor.rule;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Finds the files of a journal. A folder alone is not a journal: {@code journalctl} waits there
 * forever without an error, which would look like a healthy silence (B-15).
 */
public final class JournalFiles {
  private static final List<Path> OF_THE_MACHINE =
      List.of(Path.of("/run/log/journal"), Path.of("/var/log/journal"));
  private static final String FILES = "*.journal";

  /** The current files of journald and services; users have separate files. */
  private static final String CURRENT = "system.journal";

  private static final Path ROOT = Path.of("/");

  /** The most machine folders read; there is one for each machine that has ever logged here. */
  private static final int MAX_FOLDERS = 1000;

  private JournalFiles() {}

  /**
   * {@return the folders to search for the systemd journal, as seen from here}
   *
   * @param root the node's root directory: {@code /}, or a mount in a container
   * @param directory the folder configured in a monitor; empty for those of this machine
   */
  public static List<Path> folders(Path root, String directory) {
    List<Path> folders = directory.isEmpty() ? OF_THE_MACHINE : List.of(Path.of(directory));
    return folders.stream()
        .map(folder -> folder.isAbsolute() ? root.resolve(ROOT.relativize(folder)) : folder)
        .toList();
  }

  /**
   * {@return whether one of the folders contains a journal file, directly or in a machine's folder}
   *
   * @param folders the folders to search; they need not exist
   */
  public static boolean areIn(List<Path> folders) {
    return folders.stream().anyMatch(folder -> holdsAny(folder) || machines(folder));
  }

  /**
   * Finds an unreadable file of the system journal. The library and journalctl skip it silently if
   * they may read another one, such as the user's own.
   *
   * @param folders the folders to search; they need not exist
   * @param readable whether a file may be read
   * @return its file; empty if there is none
   */
  public static Optional<Path> unreadable(List<Path> folders, Predicate<Path> readable) {
    return folders.stream()
        .flatMap(folder -> Stream.concat(Stream.of(folder), inside(folder).stream()))
        .map(folder -> folder.resolve(CURRENT))
        .filter(Files::exists)
        .filter(readable.negate())
        .findFirst();
  }

  private static List<Path> inside(Path folder) {
    List<Path> machines = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      Iterator<Path> each = entries.iterator();
      while (each.hasNext() && machines.size() < MAX_FOLDERS) {
        machines.add(each.next());
      }
    } catch (IOException | DirectoryIteratorException unreadable) {
      return List.of();
    }
    return machines;
  }

  private static boolean machines(Path folder) {
    return inside(folder).stream().anyMatch(JournalFiles::holdsAny);
  }

  private static boolean holdsAny(Path folder) {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, FILES)) {
      return files.iterator().hasNext();
    } catch (IOException | DirectoryIteratorException unreadable) {
      return false;
    }
  }
}
