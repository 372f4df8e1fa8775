package io.probelet.manifest;

import io.probelet.document.field.Problem;
import io.probelet.manifest.pod.KindCounts;
import io.probelet.manifest.pod.PodSource;
import java.util.List;

/**
 * The result of reading a set of manifest files.
 *
 * @param pods the valid pods, in the order of files and documents
 * @param problems all problems of the files, by file and line
 * @param checked all objects and documents that were checked and are no Pods, valid or not
 * @param others objects of unsupported kinds, if they are expected
 */
public record Manifests(
    List<PodSource> pods, List<Problem> problems, KindCounts checked, KindCounts others) {
  /** Keeps unmodifiable copies of the lists. */
  public Manifests {
    pods = List.copyOf(pods);
    problems = problems.stream().sorted(Problem.BY_PLACE).toList();
  }

  /** {@return whether any problem is an error and not only a warning} */
  public boolean hasErrors() {
    return problems.stream().anyMatch(Problem::isError);
  }
}
