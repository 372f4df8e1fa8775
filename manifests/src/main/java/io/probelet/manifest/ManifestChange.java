package io.probelet.manifest;

import io.probelet.document.field.Problem;
import io.probelet.manifest.pod.PodSource;
import java.util.List;

/**
 * The differences after manifests were reread.
 *
 * @param removed pods that no longer exist
 * @param problems all current problems of the files, by file and line
 * @param newProblems the new ones among them
 * @param invalid the files whose current content is not in use, by path
 */
public record ManifestChange(
    List<PodSource> added,
    List<Replacement> replaced,
    List<PodSource> removed,
    List<Problem> problems,
    List<Problem> newProblems,
    List<InvalidFile> invalid) {
  /** Keeps unmodifiable copies of the lists. */
  public ManifestChange {
    added = List.copyOf(added);
    replaced = List.copyOf(replaced);
    removed = List.copyOf(removed);
    problems = List.copyOf(problems);
    newProblems = List.copyOf(newProblems);
    invalid = List.copyOf(invalid);
  }

  /** A pod whose manifest changed. */
  public record Replacement(PodSource before, PodSource after) {}
}
