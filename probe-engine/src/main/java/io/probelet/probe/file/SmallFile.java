package io.probelet.probe.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;

/**
 * Reads one file that a stranger may have named. Blocks, so it is only for the threads of {@link
 * FileThreads}; an interrupt ends a read that hangs.
 */
public final class SmallFile {
  /** The largest file that is read, in bytes: a bundle of some 700 certificates. */
  public static final int MAX_BYTES = 1024 * 1024;

  private SmallFile() {}

  /**
   * Reads a whole file.
   *
   * @param what it is for, put before its name in messages
   * @param file must be regular: opening a pipe would wait for its writer, and a device has no end
   * @param maxBytes how large it may be, 1 to {@value #MAX_BYTES}
   * @return its content
   * @throws BadFileException saying what it is instead
   */
  public static byte[] read(String what, Path file, int maxBytes) throws BadFileException {
    byte[] content = start(what, file, maxBytes + 1);
    if (content.length > maxBytes) {
      throw new BadFileException(
          what + " " + file + " must have at most " + maxBytes + " bytes", null);
    }
    return content;
  }

  /**
   * Reads the start of a file.
   *
   * @param what it is for, put before its name in messages
   * @param file must be regular: opening a pipe would wait for its writer, and a device has no end
   * @param maxBytes how much is read, at least 1
   * @return its content, or as much of it as that
   * @throws BadFileException saying what it is instead
   */
  public static byte[] start(String what, Path file, int maxBytes) throws BadFileException {
    String name = what + " " + file;
    try {
      BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
      if (!attributes.isRegularFile()) {
        throw new BadFileException(
            name + " must be a regular file" + (attributes.isDirectory() ? ", not a folder" : ""),
            null);
      }
      // The size is not believed: files in /proc have none, and it may grow meanwhile.
      return content(file, maxBytes);
    } catch (NoSuchFileException absent) {
      throw new BadFileException(name + " does not exist", absent);
    } catch (ClosedByInterruptException late) {
      throw new BadFileException(name + " was not read in time", late);
    } catch (IOException unreadable) {
      throw new BadFileException(name + " cannot be read: " + unreadable.getMessage(), unreadable);
    }
  }

  private static byte[] content(Path file, int atMost) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      byte[] bytes = new byte[Math.min(atMost, 8 * 1024)];
      int length = 0;
      while (true) {
        int read = channel.read(ByteBuffer.wrap(bytes, length, bytes.length - length));
        if (read < 0) {
          return Arrays.copyOf(bytes, length);
        }
        length += read;
        if (length == atMost) {
          return bytes;
        }
        if (length == bytes.length) {
          bytes = Arrays.copyOf(bytes, Math.min(atMost, 2 * bytes.length));
        }
      }
    }
  }
}
