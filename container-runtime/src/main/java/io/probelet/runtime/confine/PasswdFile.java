package io.probelet.runtime.confine;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The users of {@code /etc/passwd}; those that a directory service knows are not looked for. */
public final class PasswdFile implements LocalUsers {
  private static final Logger LOG = LoggerFactory.getLogger(PasswdFile.class);
  private static final Path PASSWD = Path.of("/etc/passwd");
  private static final int FIELDS = 7;
  private static final int USER = 2;
  private static final int GROUP = 3;
  private static final int HOME = 5;

  private final Path file;

  /** Reads {@code /etc/passwd} at each question. */
  public PasswdFile() {
    this(PASSWD);
  }

  PasswdFile(Path file) {
    this.file = file;
  }

  @Override
  public Optional<LocalUser> find(int user) {
    String number = Integer.toString(user);
    // Names may be of any encoding; what matters here is ASCII.
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String[] fields = line.split(":", -1);
        if (fields.length == FIELDS && fields[USER].equals(number)) {
          return Optional.of(new LocalUser(Integer.parseInt(fields[GROUP]), fields[HOME]));
        }
      }
    } catch (IOException | NumberFormatException unusable) {
      LOG.warn("cannot look for user {} in {}: {}", user, file, unusable.toString());
    }
    return Optional.empty();
  }
}
