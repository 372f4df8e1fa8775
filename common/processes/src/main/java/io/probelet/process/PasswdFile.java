package io.probelet.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The users of {@code /etc/passwd}; users of directory services are not searched. */
public record PasswdFile(Path file) {
  /** This machine's. */
  public static final PasswdFile SYSTEM = new PasswdFile(Path.of("/etc/passwd"));

  /** name, password, uid, gid, comment, home, shell. */
  private static final Pattern ENTRY =
      Pattern.compile("([^:]+):[^:]*:([0-9]{1,10}):([0-9]{1,10}):[^:]*:([^:]*):[^:]*");

  private static final int NAME = 1;
  private static final int UID = 2;
  private static final int GID = 3;
  private static final int HOME = 4;

  /**
   * Finds a user by name.
   *
   * @param name the user's name
   * @return the first match; empty if there is none, or no file, as in an image without users
   * @throws IOException if the file cannot be read
   */
  public Optional<Account> byName(String name) throws IOException {
    return find(NAME, name);
  }

  /**
   * Finds a user by number.
   *
   * @return the first match; empty if there is none, or no file, as in an image without users
   * @throws IOException if the file cannot be read
   */
  public Optional<Account> byId(long uid) throws IOException {
    return find(UID, Long.toString(uid));
  }

  private Optional<Account> find(int field, String wanted) throws IOException {
    // Names may have any encoding; the relevant fields are ASCII.
    try {
      return Files.readAllLines(file, StandardCharsets.ISO_8859_1).stream()
          .map(ENTRY::matcher)
          .filter(Matcher::matches)
          .filter(entry -> entry.group(field).equals(wanted))
          .map(entry ->
              new Account(
                  Long.parseLong(entry.group(UID)),
                  Long.parseLong(entry.group(GID)),
                  entry.group(HOME).isEmpty() ? Account.NO_HOME : entry.group(HOME)))
          .findFirst();
    } catch (NoSuchFileException none) {
      return Optional.empty();
    }
  }
}
