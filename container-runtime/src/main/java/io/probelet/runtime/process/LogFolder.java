package io.probelet.runtime.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * The folder with the logs of containers that run as local processes, one file per container. The
 * names of the files follow from the names of the containers, so that a reader need not ask anybody
 * for a path.
 *
 * @param path the folder; need not exist
 */
public record LogFolder(Path path) {
  private static final String NAME = "logs";
  private static final String SUFFIX = ".log";

  /** File systems allow 255 bytes; the longest file beside a log is {@code NAME.log.start.new}. */
  private static final int MAX_NAME = 240;

  private static final int HASH_DIGITS = 32;
  private static final int ROOT = 0;
  private static final int OTHERS_WRITE = 0002;
  private static final int GROUP_WRITE = 0020;
  private static final int STICKY = 01000;

  /**
   * {@return the folder that is used if the user names none}
   *
   * @param stateFolder where the program keeps its state
   */
  public static LogFolder below(Path stateFolder) {
    return new LogFolder(stateFolder.resolve(NAME));
  }

  /**
   * {@return the file that a container's output is appended to} Kubernetes allows longer names than
   * file systems: a long one ends with a hash. No name of Kubernetes has a tilde.
   */
  public Path file(String namespace, String pod, String container) {
    String name = namespace + "_" + pod + "_" + container;
    String shortName =
        name.length() <= MAX_NAME
            ? name
            : name.substring(0, MAX_NAME - HASH_DIGITS - 1) + "~" + hash(name);
    return path.resolve(shortName + SUFFIX);
  }

  private static String hash(String name) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, HASH_DIGITS / 2);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  /**
   * Checks that only the user who runs this program, or root, can have created what is in the
   * folder: then none of its files is a link that somebody else placed there.
   *
   * @return the folder without symbolic links
   * @throws IOException if others own the folder or one above it, or can write to it, or it cannot
   *     be read; the message is for the user
   */
  public LogFolder requirePrivate() throws IOException {
    Path real = path.toRealPath();
    if (!Files.isDirectory(real)) {
      throw new IOException(path + " is not a directory");
    }
    Path self = Path.of("/proc/self");
    int user = (int) Files.getAttribute(self, "unix:uid");
    int group = (int) Files.getAttribute(self, "unix:gid");
    for (Path each = real; each != null; each = each.getParent()) {
      int owner = (int) Files.getAttribute(each, "unix:uid");
      if (owner != user && owner != ROOT) {
        throw new IOException(
            "%s belongs to another user, with uid %d; run the command as that user"
                .formatted(each, owner));
      }
      int mode = (int) Files.getAttribute(each, "unix:mode");
      int of = (int) Files.getAttribute(each, "unix:gid");
      boolean shared =
          (mode & OTHERS_WRITE) != 0 || ((mode & GROUP_WRITE) != 0 && of != group && of != ROOT);
      // As in /tmp, nobody else can replace a folder.
      boolean sticky = (mode & STICKY) != 0 && !each.equals(real);
      if (shared && !sticky) {
        throw new IOException("other users can write to %s; chmod go-w it".formatted(each));
      }
    }
    return new LogFolder(real);
  }
}
