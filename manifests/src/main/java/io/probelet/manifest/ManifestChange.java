package io.probelet.manifest;

import io.probelet.document.field.Problem;
import io.probelet.manifest.pod.PodSource;
import java.util.List;

/**
 * What is different after manifests have been read again.
 *
 * @param removed pods that are no more
 * @param problems everything wrong with the files now, by file and line
 * @param newProblems those of them that were not there before
 * @param invalid the files whose present content is not used, by path
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
