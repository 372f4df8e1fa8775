package io.probelet.manifest;

import io.probelet.document.field.Problem;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A file, or a path on the command line, whose content is not used as it is now.
 *
 * @param path as the user named it, or as it is called in the folder; any text
 * @param error the first thing wrong with it
 * @param errors how many there are, at least 1
 */
public record InvalidFile(String path, Problem error, int errors, Use use) {
  /** What is used of a file that has errors. */
  public enum Use {
    /** Nothing: it was never valid since the start. */
    NOTHING,
    /** What it said when it was last valid. */
    LAST_VALID,
    /** Of a folder: the files it had when it could last be listed, as they were. */
    LAST_LISTED,
    /** Those of its pods whose names no other file has taken. */
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
