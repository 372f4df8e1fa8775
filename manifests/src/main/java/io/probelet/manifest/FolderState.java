package io.probelet.manifest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The state of manifests without their content; two equal states mean that nothing changed, as far
 * as the file system shows.
 *
 * @param stamps by each file with readable attributes
 */
record FolderState(FoundFiles found, Map<Path, Stamp> stamps) {
  /**
   * A file at one moment.
   *
   * @param key differs if another file has replaced it, if the platform has keys
   */
  record Stamp(long size, FileTime modified, Optional<String> key) {}

  FolderState {
    stamps = Map.copyOf(stamps);
  }

  static FolderState of(List<Path> paths) {
    return of(FoundFiles.watched(paths));
  }

  /** Returns the current state, including folders that vanished. */
  FolderState next(List<Path> paths) {
    return of(FoundFiles.watched(paths).after(found));
  }

  private static FolderState of(FoundFiles found) {
    Map<Path, Stamp> stamps = new LinkedHashMap<>();
    for (Path file : found.files()) {
      try {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        Optional<String> key = Optional.ofNullable(attributes.fileKey()).map(Object::toString);
        stamps.put(file, new Stamp(attributes.size(), attributes.lastModifiedTime(), key));
      } catch (IOException vanished) {
        // it has no stamp then; reading it reports the error
      }
    }
    return new FolderState(found, stamps);
  }
}
