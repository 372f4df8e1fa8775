package io.probelet.manifest;

import io.probelet.document.field.Problem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A file, or a path on the command line, whose current content is not in use.
 *
 * @param path as the user named it, or its path in the folder; any text
 * @param error the first error
 * @param errors number of errors, at least 1
 */
public record InvalidFile(String path, Problem error, int errors, Use use) {
  /** The content in use of a file with errors. */
  public enum Use {
    /** Nothing: it was never valid since the start. */
    NOTHING,
    /** Its last valid content. */
    LAST_VALID,
    /** Of a folder: its files at the last successful listing, unchanged. */
    LAST_LISTED,
    /** Its pods whose names no other file has taken. */
    OTHER_PODS
  }

  /** Returns the files that have errors, by path. */
  static List<InvalidFile> among(List<Problem> problems, Function<String, Use> uses) {
    Map<String, List<Problem>> errors = new TreeMap<>();
    problems.stream()
        .filter(Problem::isError)
        .forEach(
            error -> errors.computeIfAbsent(error.origin(), _ -> new ArrayList<>()).add(error));
    return errors.entrySet().stream()
        .map(each ->
            new InvalidFile(
                each.getKey(),
                each.getValue().getFirst(),
                each.getValue().size(),
                uses.apply(each.getKey())))
        .toList();
  }

  /** Returns whether one of the files was named by the user, and not found in a folder. */
  static boolean isAnyNamed(List<InvalidFile> files, List<Path> paths) {
    return files.stream()
        .anyMatch(file -> paths.stream().anyMatch(path -> path.toString().equals(file.path())));
  }
}
