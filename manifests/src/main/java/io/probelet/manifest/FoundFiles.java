package io.probelet.manifest;

import io.probelet.document.field.Problem;
import io.probelet.document.field.Problem.Severity;
import io.probelet.health.FailureReason;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The files for the paths on the command line.
 *
 * @param files each once, directories in the order of names
 * @param unseen paths that exist, or may exist, and cannot be read
 * @param problems paths without a file
 * @param folders the listed directories, each with its identity, which differs from that of a later
 *     folder of the same name
 */
record FoundFiles(
    List<Path> files, Set<Path> unseen, List<Problem> problems, Map<Path, FolderIdentity> folders) {
  private static final Pattern MANIFEST =
      Pattern.compile("[^.].*\\.(yaml|yml|json)", Pattern.DOTALL);

  FoundFiles {
    files = List.copyOf(files);
    unseen = Set.copyOf(unseen);
    problems = List.copyOf(problems);
    folders = Map.copyOf(folders);
  }

  FoundFiles(List<Path> files, Set<Path> unseen, List<Problem> problems) {
    this(files, unseen, problems, Map.of());
  }

  /** Finds files that are read once, including pipes. */
  static FoundFiles in(List<Path> paths) {
    return in(paths, true);
  }

  /** Finds files that are read repeatedly; opening a pipe would wait for a writer. */
  static FoundFiles watched(List<Path> paths) {
    return in(paths, false);
  }

  private static FoundFiles in(List<Path> paths, boolean pipes) {
    Search search = new Search(pipes);
    paths.forEach(search::add);
    return new FoundFiles(
        List.copyOf(search.files.values()), search.unseen, search.problems, search.folders);
  }

  /**
   * Returns a copy in which a folder that vanished, or was replaced by an empty one, as after an
   * unmount, counts as unreadable: only the deletion of a file removes its content.
   */
  FoundFiles after(FoundFiles before) {
    Set<Path> alsoUnseen = new HashSet<>(unseen);
    List<Problem> changed = new ArrayList<>(problems);
    Map<Path, FolderIdentity> known = new LinkedHashMap<>(folders);
    before.folders.forEach((folder, identity) -> {
      if (files.contains(folder) || hasFilesOf(folder)) {
        return;
      }
      FolderIdentity now = folders.get(folder);
      boolean vanished = before.unseen.contains(folder);
      boolean replaced =
          now != null
              && now.isOther(identity, vanished)
              && (vanished || before.hasFilesOf(folder) || before.hasUnseenOf(folder));
      if (now != null && !replaced) {
        return;
      }
      alsoUnseen.add(folder);
      known.put(folder, identity);
      if (replaced) {
        changed.removeIf(problem -> problem.origin().equals(folder.toString()));
        changed.add(
            Problem.ofFile(
                folder,
                Severity.ERROR,
                "was replaced by an empty folder; is a volume not mounted?"));
      }
    });
    return new FoundFiles(files, alsoUnseen, changed, known);
  }

  private boolean hasFilesOf(Path folder) {
    return files.stream().anyMatch(file -> folder.equals(file.getParent()));
  }

  private boolean hasUnseenOf(Path folder) {
    return unseen.stream().anyMatch(file -> folder.equals(file.getParent()));
  }

  /** Returns whether files of that name in a directory are read. */
  static boolean isManifestName(String name) {
    return MANIFEST.matcher(name).matches();
  }

  /** Keeps the previous results of files that may still exist. */
  <T> void keepUnseen(Map<Path, T> before, Map<Path, T> now) {
    before.forEach((file, made) -> {
      Path directory = file.getParent();
      if (unseen.contains(file) || (directory != null && unseen.contains(directory))) {
        now.putIfAbsent(file, made);
      }
    });
  }

  private static final class Search {
    private final Map<Path, Path> files = new LinkedHashMap<>();
    private final Set<Path> unseen = new HashSet<>();
    private final List<Problem> problems = new ArrayList<>();
    private final Map<Path, FolderIdentity> folders = new LinkedHashMap<>();
    private final boolean pipes;

    Search(boolean pipes) {
      this.pipes = pipes;
    }

    void add(Path path) {
      if (Files.isDirectory(path)) {
        addManifestsIn(path);
      } else if (Files.exists(path) && !pipes && !Files.isRegularFile(path)) {
        unseen(path, "is not a regular file");
      } else if (Files.exists(path)) {
        files.putIfAbsent(identity(path), path);
      } else if (Files.notExists(path)) {
        problems.add(Problem.ofFile(path, Severity.ERROR, "no such file or directory"));
      } else {
        unseen(path, cause(path));
      }
    }

    private static String cause(Path path) {
      try {
        Files.readAttributes(path, BasicFileAttributes.class);
        return "cannot be read";
      } catch (IOException failed) {
        return "cannot be read: " + FailureReason.of(failed);
      }
    }

    private void addManifestsIn(Path directory) {
      List<Path> manifests = new ArrayList<>();
      int before = problems.size();
      try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
        for (Path entry : entries) {
          if (isManifestName(entry.getFileName().toString())) {
            addEntry(entry, manifests);
          }
        }
      } catch (IOException | DirectoryIteratorException e) {
        unseen(directory, "cannot be listed: " + FailureReason.of(e));
        return;
      }
      FolderIdentity.of(directory).ifPresent(identity -> folders.put(directory, identity));
      int others = problems.size() - before;
      if (manifests.isEmpty() && others == 0) {
        problems.add(
            Problem.ofFile(
                directory, Severity.WARNING, "no manifests here: no *.yaml, *.yml or *.json"));
      }
      manifests.stream().sorted().forEach(file -> files.putIfAbsent(identity(file), file));
    }

    /** Adds a regular file. Deeper directories are skipped. */
    private void addEntry(Path entry, List<Path> manifests) {
      if (Files.isRegularFile(entry)) {
        manifests.add(entry);
      } else if (Files.notExists(entry)) {
        if (Files.isSymbolicLink(entry)) { // otherwise it was deleted just now
          unseen(entry, "links to a file that does not exist");
        }
      } else if (!Files.exists(entry)) {
        unseen(entry, cause(entry));
      } else if (!Files.isDirectory(entry)) { // opening a named pipe would wait for a writer
        unseen(entry, "is not a regular file");
      }
    }

    private void unseen(Path path, String message) {
      unseen.add(path);
      problems.add(Problem.ofFile(path, Severity.ERROR, message));
    }

    private static Path identity(Path file) {
      try {
        return file.toRealPath();
      } catch (IOException vanishedOrForbidden) {
        return file.toAbsolutePath().normalize();
      }
    }
  }
}
