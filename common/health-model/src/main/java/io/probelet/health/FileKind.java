package io.probelet.health;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The kinds of files that require special reading. */
public enum FileKind {
  /** A named pipe: opening it to read waits for a writer. */
  PIPE(0010000),
  /** A character device, such as {@code /dev/kmsg}. */
  CHARACTER_DEVICE(0020000),
  /** Anything else, including regular files and folders. */
  OTHER(0);

  /** The bits of a file's mode with its type (inode(7)). */
  private static final int MASK = 0170000;

  private final int type;

  FileKind(int type) {
    this.type = type;
  }

  /**
   * Returns the kind of a file, following links.
   *
   * @param file the file
   * @return its kind
   * @throws IOException if it cannot be read, for example because it does not exist
   * @throws UnsupportedOperationException where files have no such mode
   */
  public static FileKind of(Path file) throws IOException {
    int found = (int) Files.getAttribute(file, "unix:mode") & MASK;
    for (FileKind kind : values()) {
      if (kind.type == found) {
        return kind;
      }
    }
    return OTHER;
  }
}
