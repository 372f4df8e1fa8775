package io.probelet.health;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Files that only their owner can write and only their group can read: mode 0640, in folders of
 * mode 0750. Existing folders stay unchanged, since others may own them.
 */
public final class PrivateFiles {
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-r-----");
  private static final FileAttribute<?> NEW_FILE = PosixFilePermissions.asFileAttribute(FILE);
  private static final FileAttribute<?> NEW_FOLDER =
      PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---"));

  private PrivateFiles() {}

  /**
   * Creates a folder and its missing parents.
   *
   * @param folder the folder
   * @throws IOException if that is not possible
   */
  public static void createFolders(Path folder) throws IOException {
    Files.createDirectories(folder, NEW_FOLDER);
  }

  /**
   * Opens a file; an existing one is made private first.
   *
   * @param file a regular file or a new one; not a link, a pipe or a device
   * @param options how to open it
   * @return the open file
   * @throws IOException if it is not a regular file, or cannot be opened
   */
  public static FileChannel open(Path file, Set<OpenOption> options) throws IOException {
    makePrivate(file);
    return FileChannel.open(file, options, NEW_FILE);
  }

  /**
   * Creates an empty file if none exists; an existing one is made private.
   *
   * @param file a regular file or a new one; not a link, a pipe or a device
   * @throws IOException if it is not a regular file, or cannot be created
   */
  public static void create(Path file) throws IOException {
    if (!makePrivate(file)) {
      Files.createFile(file, NEW_FILE);
    }
  }

  /**
   * Reads a file.
   *
   * @param file a regular file; not a link, a pipe or a device
   * @param maxBytes the most bytes that it may have
   * @return the whole content
   * @throws NoSuchFileException if it does not exist
   * @throws IOException if it is not a regular file, is larger, or cannot be read
   */
  public static byte[] read(Path file, int maxBytes) throws IOException {
    if (!requireRegular(file)) {
      throw new NoSuchFileException(file.toString());
    }
    try (InputStream in = Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS)) {
      byte[] content = in.readNBytes(maxBytes + 1); // one more than is allowed
      if (content.length > maxBytes) {
        throw new IOException("it has more than " + maxBytes + " bytes");
      }
      return content;
    }
  }

  /**
   * Replaces a file atomically: after a crash it is the old or the new one.
   *
   * @param file a regular file or a new one; not a link, a pipe or a device, which would be
   *     replaced. Its folder is created if missing
   * @param content the whole content
   * @throws IOException if it is not a regular file, or on failure; the old file then stays
   */
  public static void replace(Path file, byte[] content) throws IOException {
    requireRegular(file);
    Path folder = file.toAbsolutePath().getParent();
    if (folder != null) {
      createFolders(folder);
    }
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    try (FileChannel out =
        open(
            fresh,
            Set.of(
                StandardOpenOption.CREATE,
                StandardOpenOption.TRUNCATE_EXISTING,
                StandardOpenOption.WRITE))) {
      ByteBuffer bytes = ByteBuffer.wrap(content);
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.force(true);
    }
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * Whether a regular file exists. Anyone who can write to the folder could have created a link.
   */
  private static boolean makePrivate(Path file) throws IOException {
    if (!requireRegular(file)) {
      return false;
    }
    if (!Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS).equals(FILE)) {
      Files.setPosixFilePermissions(file, FILE);
    }
    return true;
  }

  private static boolean requireRegular(Path file) throws IOException {
    if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      return false;
    }
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException(file + " is not a regular file; remove it");
    }
    return true;
  }
}
