package io.probelet.manifest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;

/**
 * Distinguishes a folder from another one that has taken its place.
 *
 * @param key its device and number; a file system soon gives the number to another folder
 * @param created when it was made; when it last changed, if the file system does not keep that time
 * @param dated whether the file system is known to keep the time
 */
record FolderIdentity(String key, FileTime created, boolean dated) {
  /** Returns the identity of a folder; empty if it vanished, or the platform has no keys. */
  static Optional<FolderIdentity> of(Path folder) {
    try {
      BasicFileAttributes attributes = Files.readAttributes(folder, BasicFileAttributes.class);
      return Optional.ofNullable(attributes.fileKey())
          .map(key ->
              new FolderIdentity(
                  key.toString(), attributes.creationTime(), isDated(folder, attributes)));
    } catch (IOException vanished) {
      return Optional.empty();
    }
  }

  /**
   * Java gives the time of the last change where there is none of the creation. A new folder has
   * two equal times too, but then its making changed its parent.
   */
  private static boolean isDated(Path folder, BasicFileAttributes attributes) {
    if (hasTwoTimes(attributes)) {
      return true;
    }
    Path parent = folder.resolve("..");
    try {
      return hasTwoTimes(Files.readAttributes(parent, BasicFileAttributes.class))
          && Files.getAttribute(parent, "unix:dev").equals(Files.getAttribute(folder, "unix:dev"));
    } catch (IOException | UnsupportedOperationException unknown) {
      return false;
    }
  }

  private static boolean hasTwoTimes(BasicFileAttributes attributes) {
    return !attributes.creationTime().equals(attributes.lastModifiedTime());
  }

  /**
   * Returns whether this is another folder than the one before.
   *
   * @param vanished whether the one before was not there in between; this decides where the file
   *     system keeps no time of creation
   */
  boolean isOther(FolderIdentity before, boolean vanished) {
    return !key.equals(before.key) || (dated ? !created.equals(before.created) : vanished);
  }
}
