package io.probelet.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A user as the kernel knows one. */
public record Account(long uid, long gid, String home) {
  /** The folder of one that has none. */
  public static final String NO_HOME = "/";

  /**
   * Finds out who this program is; its folder is not asked for.
   *
   * @throws IOException if /proc does not say
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
   * Compares, whatever the folders.
   *
   * @return whether it is the same user in the same group
   */
  public boolean isSameAs(Account other) {
    return uid == other.uid && gid == other.gid;
  }
}
