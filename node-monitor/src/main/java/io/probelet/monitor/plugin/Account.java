package io.probelet.monitor.plugin;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A user as the kernel knows one.
 *
 * @param uid the user's number
 * @param gid the number of the user's group
 * @param home the user's folder
 */
record Account(long uid, long gid, String home) {
  private static final Path PASSWD = Path.of("/etc/passwd");
  private static final String NO_HOME = "/";

  /** name, password, uid, gid, comment, home, shell. */
  private static final Pattern ENTRY =
      Pattern.compile("([^:]+):[^:]*:([0-9]{1,10}):([0-9]{1,10}):[^:]*:([^:]*):.*");

  /**
   * Finds the user that a monitor file names.
   *
   * @param user a name, {@code UID} or {@code UID:GID}
   * @throws IOException if a name is not in {@code /etc/passwd}, or that cannot be read
   */
  static Account of(String user) throws IOException {
    return of(user, PASSWD);
  }

  static Account of(String user, Path passwd) throws IOException {
    List<String> parts = List.of(user.split(":", -1));
    boolean named = !Character.isDigit(user.charAt(0));
    Optional<Account> entry = entry(parts.getFirst(), named ? 1 : 2, passwd);
    if (named) {
      return entry.orElseThrow(() ->
          new IOException(
              "user "
                  + user
                  + " is not in "
                  + passwd
                  + "; numbers such as 65534:65534 need no entry there"));
    }
    long uid = Long.parseLong(parts.getFirst());
    // Who has no entry has a group of the same number, rather than root's.
    long gid =
        parts.size() > 1 ? Long.parseLong(parts.get(1)) : entry.map(Account::gid).orElse(uid);
    return new Account(uid, gid, entry.map(Account::home).orElse(NO_HOME));
  }

  private static Optional<Account> entry(String wanted, int field, Path passwd) throws IOException {
    try {
      return Files.readAllLines(passwd, StandardCharsets.ISO_8859_1).stream()
          .map(ENTRY::matcher)
          .filter(Matcher::matches)
          .filter(entry -> entry.group(field).equals(wanted))
          .map(entry ->
              new Account(
                  Long.parseLong(entry.group(2)),
                  Long.parseLong(entry.group(3)),
                  entry.group(4).isEmpty() ? NO_HOME : entry.group(4)))
          .findFirst();
    } catch (NoSuchFileException without) { // an image that knows no users
      return Optional.empty();
    }
  }

  /** Finds out who this program is; its home is not asked for. */
  static Account current() throws IOException {
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

  /** {@return whether it is the same user in the same group} */
  boolean isSameAs(Account other) {
    return uid == other.uid && gid == other.gid;
  }
}
