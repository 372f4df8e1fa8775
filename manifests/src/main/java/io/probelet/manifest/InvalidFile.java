package io.probelet.manifest;

import io.probelet.document.field.Problem;

/**
 * A file, or a path on the command line, whose manifests are not used as they are now.
 *
 * @param path as the user named it, or as it is called in the folder; any text
 * @param error the first thing wrong with it
 * @param errors how many there are, at least 1
 * @param use what is used of it meanwhile
 */
public record InvalidFile(String path, Problem error, int errors, Use use) {
  /** What is used of a file that has errors. */
  public enum Use {
    /** Nothing: it was never valid since the start. */
    NOTHING,
    /** The pods it had when it was last valid. */
    LAST_VALID,
    /** Those of its pods whose names no other file has taken. */
    OTHER_PODS
  }
}
