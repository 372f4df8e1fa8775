package io.probelet.agent.config;

import io.probelet.health.FailureReason;
import io.probelet.health.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lock on a state folder, held as long as the process lives: two that write there would each
 * begin with what the other has seen. The operating system releases it, also after a kill.
 */
public final class StateLock implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StateLock.class);
  private static final String NAME = "lock";
  private static final int MAX_PID_DIGITS = 10;

  private final @Nullable FileChannel held;

  private StateLock(@Nullable FileChannel held) {
    this.held = held;
  }

  /** {@return no lock, for a process without state} */
  public static StateLock none() {
    return new StateLock(null);
  }

  /**
   * Locks a folder, which is made if it is missing. If that fails for other reasons than another
   * process, such as a read-only or full disk, the agent logs that and keeps no state.
   *
   * @return the lock, to be closed at the end
   * @throws IOException if another process holds it; the message is for the user
   */
  public static StateLock take(Path folder, String setting) throws IOException {
    return take("state folder", folder, setting);
  }

  /**
   * Locks a folder, as {@link #take(Path, String)} does.
   *
   * @return the lock, to be closed at the end
   * @throws IOException if another process holds it; the message is for the user
   */
  public static StateLock take(String what, Path folder, String setting) throws IOException {
    FileChannel file;
    try {
      PrivateFiles.createFolders(folder);
      file =
          PrivateFiles.open(
              folder.resolve(NAME),
              Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE));
    } catch (IOException unable) {
      return unlocked(folder, unable);
    }
    try {
      if (lock(file)) {
        file.truncate(0);
        String pid = ProcessHandle.current().pid() + "\n";
        file.write(ByteBuffer.wrap(pid.getBytes(StandardCharsets.US_ASCII)), 0);
        return new StateLock(file);
      }
    } catch (IOException unable) {
      file.close();
      return unlocked(folder, unable);
    }
    try (file) {
      throw new IOException(
          "%s %s is in use by another Probelet%s: stop it, or choose another folder with %s"
              .formatted(what, folder, holder(file), setting));
    }
  }

  private static StateLock unlocked(Path folder, IOException unable) {
    LOG.warn(
        "cannot lock the state folder, keeping no state folder={} reason=\"{}\"",
        folder,
        FailureReason.withFile(unable));
    return none();
  }

  private static boolean lock(FileChannel file) throws IOException {
    try {
      return file.tryLock() != null;
    } catch (OverlappingFileLockException ourselves) {
      return false;
    }
  }

  /** The process that wrote its number last; nothing if it is unreadable. */
  private static String holder(FileChannel file) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(MAX_PID_DIGITS + 1);
    file.read(bytes, 0);
    String text = new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII).strip();
    return text.matches("[0-9]{1," + MAX_PID_DIGITS + "}") ? " (pid " + text + ")" : "";
  }

  /** {@return whether the folder is ours to write to} */
  public boolean isHeld() {
    return held != null;
  }

  /** Releases the folder. */
  @Override
  public void close() {
    if (held != null) {
      try {
        held.close();
      } catch (IOException ignored) {
        LOG.debug("lock file not closed", ignored);
      }
    }
  }
}
