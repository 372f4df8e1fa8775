package io.probelet.manifest;

import io.probelet.health.TimeSource;
import io.probelet.manifest.pod.Mode;
import io.probelet.manifest.pod.Purpose;
import io.probelet.manifest.policy.PodRules;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Manifests that are reread after each change.
 *
 * <p>A file with errors is reported and keeps the pods of its last valid content; at the start it
 * has none. The other files are used. The pods of a deleted file are removed.
 */
public final class ManifestFolder implements AutoCloseable {
  private final Purpose purpose;
  private final FolderWatch folder;
  private final LastGood pods;
  private final List<InvalidFile> invalidAtFirst;
  private final List<Path> paths;

  /** Reads manifests for the first time. */
  public ManifestFolder(List<Path> paths, Mode mode, TimeSource time) {
    this.paths = List.copyOf(paths);
    this.purpose = Purpose.of(mode, PodRules.LOCAL);
    this.folder = new FolderWatch(paths, time);
    this.pods = new LastGood(read(folder.first()), folder.first().found());
    this.invalidAtFirst = pods.invalid();
  }

  /** {@return the result of the first reading; without pods of files that have errors} */
  public Manifests first() {
    return pods.first();
  }

  /** {@return the files not in use after the first reading, by path} */
  public List<InvalidFile> invalidAtFirst() {
    return invalidAtFirst;
  }

  /**
   * {@return whether a path that the user named is itself invalid at the first reading: a file with
   * errors, a folder that cannot be listed, or a missing path; not a file in a folder}
   */
  public boolean namedPathIsInvalid() {
    return InvalidFile.isAnyNamed(invalidAtFirst, paths);
  }

  /**
   * Starts to watch, on a new thread. Changes since the first reading come first.
   *
   * @param listener notified of each relevant change, one at a time
   */
  public void watch(Consumer<ManifestChange> listener) {
    folder.start("manifests", now -> update(now, listener));
  }

  void watch(Consumer<ManifestChange> listener, FolderSignal signal) {
    folder.start("manifests", now -> update(now, listener), signal);
  }

  private void update(FolderState now, Consumer<ManifestChange> listener)
      throws InterruptedException {
    List<FileManifests> files = read(now);
    if (Thread.interrupted()) {
      throw new InterruptedException("closed while reading");
    }
    pods.update(files, now.found()).ifPresent(listener);
  }

  private List<FileManifests> read(FolderState now) {
    return now.found().files().stream().map(file -> FileManifests.read(file, purpose)).toList();
  }

  /** Stops the watch; the listener is not called after this returns. */
  @Override
  public void close() {
    folder.close();
  }
}
