package io.probelet.manifest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.Optional;

/**
 * Distinguishes a folder from another one that replaced it.
 *
 * @param key its device and inode; a file system may soon reuse the inode
 * @param created its creation time; the time of the last change if the file system does not store
 *     it
 * @param dated whether the file system is known to store the creation time
 */
record FolderIdentity(String key, FileTime created, boolean dated) {
  /** Returns the identity of a folder; empty if it does not exist, or the platform has no keys. */
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
   * If there is no creation time, Java returns the time of the last change. Both are equal for a
   * new folder too, but then its creation changed its parent.
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
   * Returns whether this is another folder than the previous one.
   *
   * @param vanished whether the previous one was missing in between; decides if the file system
   *     stores no creation time
   */
  boolean isOther(FolderIdentity before, boolean vanished) {
    return !key.equals(before.key) || (dated ? !created.equals(before.created) : vanished);
  }
}
