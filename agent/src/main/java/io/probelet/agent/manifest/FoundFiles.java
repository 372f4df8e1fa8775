package io.probelet.agent.manifest;

import io.probelet.agent.manifest.field.Problem;
import io.probelet.agent.manifest.field.Problem.Severity;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The files that paths on the command line stand for.
 *
 * @param files each once, directories in the order of names
 * @param problems paths that stand for nothing
 */
record FoundFiles(List<Path> files, List<Problem> problems) {
  private static final Pattern MANIFEST = Pattern.compile("[^.].*\\.(yaml|yml|json)");

  /** Copies the lists. */
  FoundFiles {
    files = List.copyOf(files);
    problems = List.copyOf(problems);
  }

  static FoundFiles in(List<Path> paths) {
    Map<Path, Path> files = new LinkedHashMap<>();
    List<Problem> problems = new ArrayList<>();
    for (Path path : paths) {
      if (Files.isDirectory(path)) {
        for (Path file : manifestsIn(path, problems)) {
          files.putIfAbsent(identity(file), file);
        }
      } else if (Files.exists(path)) {
        files.putIfAbsent(identity(path), path);
      } else {
        problems.add(Problem.ofFile(path, Severity.ERROR, "no such file or directory"));
      }
    }
    return new FoundFiles(List.copyOf(files.values()), problems);
  }

  private static List<Path> manifestsIn(Path directory, List<Problem> problems) {
    List<Path> files = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      for (Path entry : entries) {
        boolean named = MANIFEST.matcher(entry.getFileName().toString()).matches();
        // only regular files: opening a named pipe would wait for a writer
        if (named && Files.isRegularFile(entry)) {
          files.add(entry);
        }
      }
    } catch (AccessDeniedException e) {
      problems.add(
          Problem.ofFile(directory, Severity.ERROR, "cannot be listed: permission denied"));
      return List.of();
    } catch (IOException | DirectoryIteratorException e) {
      problems.add(
          Problem.ofFile(directory, Severity.ERROR, "cannot be listed: " + e.getMessage()));
      return List.of();
    }
    if (files.isEmpty()) {
      problems.add(
          Problem.ofFile(
              directory, Severity.WARNING, "no manifests here: no *.yaml, *.yml or *.json"));
    }
    return files.stream().sorted().toList();
  }

  private static Path identity(Path file) {
    try {
      return file.toRealPath();
    } catch (IOException vanishedOrForbidden) {
      return file.toAbsolutePath().normalize();
    }
  }
}
