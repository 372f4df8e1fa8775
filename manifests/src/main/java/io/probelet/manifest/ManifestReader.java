package io.probelet.manifest;

import io.probelet.manifest.pod.Mode;
import io.probelet.manifest.policy.PodRules;
import java.nio.file.Path;
import java.util.List;

/** Reads manifests once. */
public final class ManifestReader {
  private ManifestReader() {}

  /**
   * Reads files, and the {@code *.yaml}, {@code *.yml} and {@code *.json} files that lie directly
   * in directories. Hidden files and deeper directories are skipped, as the kubelet does.
   *
   * @param paths files and directories
   * @param mode what pods are read for
   * @return all valid pods and all problems; never throws for what it finds
   */
  public static Manifests read(List<Path> paths, Mode mode) {
    return read(paths, mode, PodRules.LOCAL);
  }

  /**
   * Reads files as the other method does, for pods of which rules hold.
   *
   * @param paths files and directories
   * @param mode what pods are read for
   * @param rules what holds for pods
   * @return all valid pods and all problems; never throws for what it finds
   */
  public static Manifests read(List<Path> paths, Mode mode, PodRules rules) {
    FoundFiles found = FoundFiles.in(paths);
    List<FileManifests> files =
        found.files().stream().map(file -> FileManifests.read(file, mode, rules)).toList();
    return FileManifests.join(files, found.problems());
  }
}
