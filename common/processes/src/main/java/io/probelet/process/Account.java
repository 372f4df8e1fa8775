package io.probelet.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A user by IDs, as in the kernel. */
public record Account(long uid, long gid, String home) {
  /** The home folder of a user without one. */
  public static final String NO_HOME = "/";

  /**
   * Finds the user of this process, without its home folder.
   *
   * @throws IOException if it cannot be read from /proc
   */
  public static Account current() throws IOException {
    long uid = -1;
    long gid = -1;
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      List<String> words = List.of(line.split("\\s+", -1));
      // real, effective, saved, filesystem
      uid = words.getFirst().equals("Uid:") ? Long.parseLong(words.get(2)) : uid;
      gid = words.getFirst().equals("Gid:") ? Long.parseLong(words.get(2)) : gid;
    }
    return new Account(uid, gid, NO_HOME);
  }

  /**
   * Compares users, ignoring home folders.
   *
   * @return whether user and group are the same
   */
  public boolean isSameAs(Account other) {
    return uid == other.uid && gid == other.gid;
  }
}
