package io.probelet.monitor.rule;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Whether there is a journal. Its folder alone is none: {@code journalctl} waits there for ever and
 * complains of nothing, and who took that for silence would report that all is well (B-15).
 */
public final class JournalFiles {
  private static final List<Path> OF_THE_MACHINE =
      List.of(Path.of("/run/log/journal"), Path.of("/var/log/journal"));
  private static final String FILES = "*.journal";

  /** One folder for each machine that has ever logged here; more are not read. */
  private static final int MAX_FOLDERS = 1000;

  private JournalFiles() {}

  /**
   * {@return where the journal of systemd is searched for}
   *
   * @param directory the folder that a monitor names; empty for those of this machine
   */
  public static List<Path> folders(String directory) {
    return directory.isEmpty() ? OF_THE_MACHINE : List.of(Path.of(directory));
  }

  /**
   * {@return whether one of the folders holds a file of a journal, itself or in a folder of a
   * machine}
   *
   * @param folders where to search; they need not exist
   */
  public static boolean areIn(List<Path> folders) {
    return folders.stream().anyMatch(folder -> holdsAny(folder) || machines(folder));
  }

  private static boolean machines(Path folder) {
    int seen = 0;
    try (DirectoryStream<Path> machines = Files.newDirectoryStream(folder)) {
      for (Path machine : machines) {
        if (holdsAny(machine)) {
          return true;
        }
        if (++seen == MAX_FOLDERS) {
          return false;
        }
      }
    } catch (IOException | DirectoryIteratorException unreadable) {
      return false;
    }
    return false;
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
