package io.probelet.monitor.source;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * One open, growing file. It stays the same when another file gets its name. It detects when the
 * file was truncated and rewritten, even if it is longer than before: the bytes before the read
 * position differ.
 */
final class TailedFile implements AutoCloseable {
  private static final int CHUNK = 64 * 1024;
  private static final int FINGERPRINT = 64;

  private final Path path;
  private final FileChannel channel;
  private final String key;
  private final ByteBuffer buffer = ByteBuffer.allocateDirect(CHUNK);
  private final byte[] bytes = new byte[CHUNK];
  private final LogLineSplitter splitter = new LogLineSplitter();
  private byte[] fingerprint;
  private long offset;

  private TailedFile(Path path, FileChannel channel, String key, long offset, byte[] fingerprint) {
    this.path = path;
    this.channel = channel;
    this.key = key;
    this.offset = offset;
    this.fingerprint = fingerprint;
  }

  /**
   * Opens a file at an offset.
   *
   * @param offset the start offset, at most its size
   */
  static TailedFile open(Path path, long offset) throws IOException {
    return open(path, _ -> offset);
  }

  /** Finds the start offset in the open file. */
  @FunctionalInterface
  interface Start {
    long in(FileChannel file) throws IOException;
  }

  /** Opens a file at the offset found by a lookback. */
  static TailedFile open(Path path, Start start) throws IOException {
    while (true) {
      String before = key(path);
      FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
      try {
        if (before.equals(key(path))) { // else another file got the name in the meantime
          long offset = start.in(channel);
          long begin = Math.min(offset, channel.size());
          byte[] known = bytesBefore(channel, begin, (int) Math.min(FINGERPRINT, begin));
          return new TailedFile(path, channel, before, begin, known);
        }
      } catch (IOException unreadable) {
        channel.close();
        throw unreadable;
      }
      channel.close();
    }
  }

  /**
   * Opens a file and continues at a position. If it was truncated since, {@link #drain} detects it.
   */
  static TailedFile resume(Path path, FilePlace place) throws IOException {
    if (place.before().isEmpty()) { // only its size shows whether it was truncated
      return open(path, file -> file.size() < place.offset() ? 0 : place.offset());
    }
    TailedFile opened = open(path, 0);
    opened.offset = place.offset();
    opened.fingerprint = place.before().getBytes(ISO_8859_1);
    return opened;
  }

  /** {@return the identity of the file, independent of its name} */
  static String key(Path path) throws IOException {
    Map<String, Object> inode = Files.readAttributes(path, "unix:dev,ino");
    return inode.get("dev") + ":" + inode.get("ino");
  }

  String key() {
    return key;
  }

  /** {@return the start of the first line not passed on} */
  FilePlace place() {
    long unfinished = splitter.unfinished();
    int known = (int) Math.max(0, fingerprint.length - unfinished);
    return new FilePlace(key, offset - unfinished, new String(fingerprint, 0, known, ISO_8859_1));
  }

  /**
   * Reads all available lines.
   *
   * @param lost notified if the file was truncated and its copy is not found
   * @return whether there were any
   */
  boolean drain(Consumer<String> lines, Runnable lost) throws IOException {
    if (wasEmptied()) {
      if (!readFromCopy(lines)) {
        lost.run();
      }
      offset = 0;
      fingerprint = new byte[0];
    }
    boolean any = false;
    for (int read = read(channel, offset); read > 0; read = read(channel, offset)) {
      take(read, lines);
      any = true;
    }
    return any;
  }

  private void take(int read, Consumer<String> lines) {
    splitter.take(bytes, 0, read, lines);
    offset += read;
    // Kept from the read: the file may have been truncated since.
    int older = Math.min(fingerprint.length, Math.max(0, FINGERPRINT - read));
    int newer = Math.min(read, FINGERPRINT);
    byte[] last = Arrays.copyOfRange(fingerprint, fingerprint.length - older, fingerprint.length);
    fingerprint = Arrays.copyOf(last, older + newer);
    System.arraycopy(bytes, read - newer, fingerprint, older, newer);
  }

  private int read(FileChannel from, long at) throws IOException {
    int length = from.read(buffer.clear(), at);
    if (length > 0) {
      buffer.flip().get(bytes, 0, length);
    }
    return length;
  }

  private static byte[] bytesBefore(FileChannel from, long end, int length) throws IOException {
    ByteBuffer found = ByteBuffer.allocate(length);
    while (found.hasRemaining()) {
      if (from.read(found, end - length + found.position()) < 0) {
        break;
      }
    }
    return Arrays.copyOf(found.array(), found.position());
  }

  private boolean wasEmptied() throws IOException {
    return !Arrays.equals(fingerprint, bytesBefore(channel, offset, fingerprint.length));
  }

  /** copytruncate copies the file first: unread lines are at the end of the copy (B-7). */
  private boolean readFromCopy(Consumer<String> lines) throws IOException {
    Optional<Path> copy = findCopy();
    if (copy.isEmpty()) {
      return false;
    }
    try (FileChannel rest = FileChannel.open(copy.get(), StandardOpenOption.READ)) {
      for (int read = read(rest, offset); read > 0; read = read(rest, offset)) {
        take(read, lines);
      }
    }
    return true;
  }

  private Optional<Path> findCopy() throws IOException {
    Path directory = path.toAbsolutePath().getParent();
    String name = String.valueOf(path.getFileName());
    if (directory == null) {
      return Optional.empty();
    }
    try (DirectoryStream<Path> siblings = Files.newDirectoryStream(directory)) {
      for (Path sibling : siblings) {
        String other = String.valueOf(sibling.getFileName());
        if (other.startsWith(name) && !other.equals(name) && continues(sibling)) {
          return Optional.of(sibling);
        }
      }
    } catch (DirectoryIteratorException failed) {
      throw failed.getCause();
    }
    return Optional.empty();
  }

  private boolean continues(Path copy) {
    if (!Files.isRegularFile(copy)) {
      return false;
    }
    try (FileChannel other = FileChannel.open(copy, StandardOpenOption.READ)) {
      return other.size() >= offset
          && Arrays.equals(fingerprint, bytesBefore(other, offset, fingerprint.length));
    } catch (IOException unreadable) { // removed, or not readable: not the copy
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
