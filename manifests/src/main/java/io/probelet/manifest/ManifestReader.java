package io.probelet.manifest;

import io.probelet.manifest.pod.Mode;
import io.probelet.manifest.pod.Purpose;
import io.probelet.manifest.policy.PodRules;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** Reads manifests once. */
public final class ManifestReader {
  /** As a path it means the piped input. */
  public static final Path PIPE = Path.of("-");

  private ManifestReader() {}

  /**
   * Reads files, and the {@code *.yaml}, {@code *.yml} and {@code *.json} files directly in
   * directories. Like the kubelet, it skips hidden files and deeper directories.
   *
   * @return all valid pods and all problems; never throws because of their content
   */
  public static Manifests read(List<Path> paths, Mode mode) {
    return read(paths, mode, PodRules.LOCAL);
  }

  /**
   * Reads files like the other method, for pods with rules.
   *
   * @return all valid pods and all problems; never throws because of their content
   */
  public static Manifests read(List<Path> paths, Mode mode, PodRules rules) {
    return read(
        paths,
        Purpose.of(mode, rules),
        InputStream.nullInputStream(),
        FileManifests::read); // into the heap of the process that runs the pods
  }

  /**
   * Reads files of up to 16 MiB like the other methods, and piped input.
   *
   * @param paths files and directories; {@link #PIPE} among them is not a file
   * @param pipe the input for {@link #PIPE}, read to its end or to 16 MiB
   * @return all valid pods and all problems; never throws because of their content
   */
  public static Manifests read(List<Path> paths, Purpose purpose, InputStream pipe) {
    return read(paths, purpose, pipe, FileManifests::readOnce);
  }

  private static Manifests read(
      List<Path> paths,
      Purpose purpose,
      InputStream pipe,
      BiFunction<Path, Purpose, FileManifests> reader) {
    List<FileManifests> files = new ArrayList<>();
    if (paths.contains(PIPE)) {
      files.add(FileManifests.readPipe(pipe, purpose));
    }
    FoundFiles found = FoundFiles.in(paths.stream().filter(each -> !each.equals(PIPE)).toList());
    Purpose unnamed = purpose.withOthersExpected();
    found
        .files()
        .forEach(file -> files.add(reader.apply(file, paths.contains(file) ? purpose : unnamed)));
    return FileManifests.join(files, found.problems());
  }
}
