package io.probelet.monitor.check;

import io.probelet.health.PrivateFiles;
import io.probelet.monitor.check.Kernel.Room;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Writes a small file, flushes it to the disk, reads it back and removes it. */
final class DiskIoCheck implements NodeCheck {
  private static final String NAME = ".probelet-disk-io";
  private static final int BYTES = 4096;

  /** A filesystem may refuse to write before its last block is in use. */
  private static final int FEW_BLOCKS = 64;

  private final Path folder;
  private final Machine machine;

  DiskIoCheck(Path folder, Machine machine) {
    this.folder = folder;
    this.machine = machine;
  }

  @Override
  public NodeCheckResult run() throws IOException {
    if (folder.equals(machine.stateFolder())) { // it is ours, and may not have been needed before
      PrivateFiles.createFolders(folder);
    }
    Path file = folder.resolve(NAME);
    ByteBuffer written = ByteBuffer.allocate(BYTES);
    while (written.hasRemaining()) {
      written.putLong(machine.time().nanoTime());
    }
    try {
      ByteBuffer read = roundTrip(file, written.flip());
      return read.equals(written.rewind())
          ? NodeCheckResult.OK
          : new NodeCheckResult.Problem(
              "disk test in " + folder + " failed: data read differs from data written");
    } catch (AccessDeniedException | NoSuchFileException notOurs) {
      throw notOurs;
    } catch (IOException failed) {
      if (isFull()) { // tenants can cause this, and it is no evidence about the disk
        return new NodeCheckResult.Unknown("disk test in " + folder + " cannot run: no free space");
      }
      return new NodeCheckResult.Problem("disk test in " + folder + " failed: " + reason(failed));
    }
  }

  private boolean isFull() {
    try {
      Room room = machine.kernel().room(folder);
      return room.availableBlocks() <= FEW_BLOCKS || (room.inodes() > 0 && room.freeInodes() == 0);
    } catch (IOException unknown) {
      return false;
    }
  }

  private static ByteBuffer roundTrip(Path file, ByteBuffer bytes) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(true);
      ByteBuffer read = ByteBuffer.allocate(BYTES);
      channel.position(0);
      while (read.hasRemaining() && channel.read(read) >= 0) {
        // until all is read, or the file is shorter than it should be
      }
      return read.flip();
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static String reason(IOException failed) {
    return failed instanceof FileSystemException file && file.getReason() != null
        ? file.getReason()
        : String.valueOf(failed.getMessage());
  }
}
