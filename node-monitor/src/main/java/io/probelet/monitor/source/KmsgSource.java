package io.probelet.monitor.source;

import io.probelet.health.TimeSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's messages from {@code /dev/kmsg}, or from a FIFO that stands in for it. Reading is
 * not restricted to root, but {@code CAP_SYSLOG} is needed where {@code kernel.dmesg_restrict} is
 * set.
 */
public final class KmsgSource implements LineSource {
  private static final Path DEVICES = Path.of("/dev");
  private static final int LARGEST_RECORD = 16 * 1024;
  private static final int FILE_TYPE = 0170000;
  private static final int FIFO = 0010000;

  /**
   * The device cannot be asked whether there is more: without a record for so long there is not.
   */
  private static final Duration BACKLOG = Duration.ofMillis(300);

  /** Some ten seconds: a log that never rests has to be up to date at some time, too. */
  private static final int MOST_WAITS = 34;

  private final Path path;
  private final Instant stampsBegin;
  private final TimeSource time;
  private final Pause pause = new Pause();
  private volatile KernelPlace place;

  /** Changes with each record, and is odd while one is handed over. */
  private final AtomicLong steps = new AtomicLong();

  private volatile @Nullable FileChannel open;

  /**
   * Creates a source.
   *
   * @param path the device or FIFO
   * @param stampsBegin what the kernel's stamps count from, on the wall clock
   * @param position what {@link #position} said before, in the same boot; else empty
   * @param time the clocks to go by
   */
  public KmsgSource(Path path, Instant stampsBegin, String position, TimeSource time) {
    this.path = path;
    this.stampsBegin = stampsBegin;
    this.time = time;
    place = KernelPlace.parse(position);
  }

  /**
   * Distinguishes regular files, which are followed as such, from devices and FIFOs.
   *
   * @param path what a monitor file names
   * @return whether it is for this source; what does not exist yet is taken for a regular file
   */
  public static boolean isFor(Path path) {
    return path.startsWith(DEVICES) || (Files.exists(path) && !Files.isRegularFile(path));
  }

  /** {@return whether a device can be opened: one of the host's cannot in most containers} */
  static boolean opens(Path device) {
    try (FileChannel _ = FileChannel.open(device, StandardOpenOption.READ)) {
      return true;
    } catch (IOException refused) {
      return false;
    }
  }

  @Override
  public void run(Sink sink) throws IOException, InterruptedException {
    KmsgSink records = new KmsgSink(sink, stampsBegin, place);
    LogLineSplitter splitter = new LogLineSplitter();
    try (FileChannel channel = open()) {
      open = channel;
      if (pause.isClosed()) {
        return;
      }
      Thread.ofVirtual().name("kmsg-backlog").start(() -> signalWhenRead(channel, sink));
      ByteBuffer buffer = ByteBuffer.allocateDirect(LARGEST_RECORD);
      byte[] bytes = new byte[LARGEST_RECORD];
      while (!pause.isClosed()) {
        int length = read(channel, buffer.clear());
        if (length > 0) {
          buffer.flip().get(bytes, 0, length);
          Instant now = time.wallTime();
          steps.incrementAndGet();
          splitter.take(bytes, 0, length, line -> records.line(line, now));
          place = records.place();
          steps.incrementAndGet();
        } else if (length < 0) {
          throw new IOException(path + " has ended");
        }
      }
    } catch (ClosedChannelException closed) {
      if (!pause.isClosed()) {
        throw closed;
      }
    }
  }

  private FileChannel open() throws IOException {
    try {
      boolean fifo = ((int) Files.getAttribute(path, "unix:mode") & FILE_TYPE) == FIFO;
      // A FIFO that is opened for writing too neither waits for a writer nor ends with one.
      Set<OpenOption> options =
          fifo
              ? Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE)
              : Set.of(StandardOpenOption.READ);
      return FileChannel.open(path, options);
    } catch (AccessDeniedException denied) {
      throw new IOException(
          "cannot read " + path + ": permission denied; it takes root or CAP_SYSLOG", denied);
    } catch (NoSuchFileException missing) {
      throw new IOException("cannot read " + path + ": there is no such file", missing);
    }
  }

  /** Reads one record; 0 if the oldest unread one has been overwritten, which shows in the next. */
  private static int read(FileChannel channel, ByteBuffer buffer) throws IOException {
    try {
      return channel.read(buffer);
    } catch (ClosedChannelException closed) {
      throw closed;
    } catch (IOException failed) {
      if (String.valueOf(failed.getMessage()).contains("Broken pipe")) {
        return 0;
      }
      throw failed;
    }
  }

  private void signalWhenRead(FileChannel channel, Sink sink) {
    try {
      long before;
      int waits = 0;
      do {
        before = steps.get();
        if (!pause.lasts(BACKLOG)) {
          return;
        }
      } while ((before % 2 != 0 || steps.get() != before) && ++waits < MOST_WAITS);
      if (channel.isOpen()) {
        sink.upToDate();
      }
    } catch (InterruptedException hurry) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public String position() {
    return place.toString();
  }

  @Override
  public void close() {
    pause.close();
    FileChannel channel = open;
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException alreadyGone) {
        open = null;
      }
    }
  }
}
