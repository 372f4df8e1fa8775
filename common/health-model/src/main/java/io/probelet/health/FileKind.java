package io.probelet.health;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The kinds of files that a reader has to treat unlike others. */
public enum FileKind {
  /** A named pipe: opening it to read waits for a writer. */
  PIPE(0010000),
  /** A character device, such as {@code /dev/kmsg}. */
  CHARACTER_DEVICE(0020000),
  /** Anything else, a regular file or a folder among it. */
  OTHER(0);

  /** The bits of a file's mode that say what it is (inode(7)). */
  private static final int MASK = 0170000;

  private final int type;

  FileKind(int type) {
    this.type = type;
  }

  /**
   * Returns what a file is, that which a link leads to.
   *
   * @param file the file
   * @return its kind
   * @throws IOException if the file cannot be asked, for example because it does not exist
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
