package io.probelet.monitor.source;

import io.probelet.health.FileKind;
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
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The kernel's messages from {@code /dev/kmsg}, or from a FIFO that stands in for it; a regular
 * file can, too, with or without the prefixes of its lines ({@link #of}). Reading is not restricted
 * to root, but {@code CAP_SYSLOG} is needed where {@code kernel.dmesg_restrict} is set.
 */
public final class KmsgSource implements LineSource {
  private static final Path DEVICES = Path.of("/dev");
  private static final int LARGEST_RECORD = 16 * 1024;

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

  KmsgSource(Path path, Instant stampsBegin, String position, TimeSource time) {
    this.path = path;
    this.stampsBegin = stampsBegin;
    this.time = time;
    place = KernelPlace.parse(position);
  }

  /**
   * Creates a source of what is a device, a FIFO or a regular file, which is followed as such.
   *
   * @param path what a monitor file names; what does not exist yet is taken for a regular file
   * @param stampsBegin what the kernel's stamps count from, on the wall clock
   * @param lookback how much is read of what a regular file holds already
   * @param position what {@link #position} said before, in the same boot; else empty
   */
  public static LineSource of(
      Path path, Instant stampsBegin, Lookback lookback, String position, TimeSource time) {
    return path.startsWith(DEVICES) || (Files.exists(path) && !Files.isRegularFile(path))
        ? new KmsgSource(path, stampsBegin, position, time)
        : new OfFile(new FileSource(path, lookback, position, _ -> true, time), stampsBegin);
  }

  private record OfFile(FileSource file, Instant stampsBegin) implements LineSource {
    @Override
    public void run(Sink sink) throws IOException, InterruptedException {
      file.run(new KernelRecords(sink, stampsBegin, KernelPlace.NONE));
    }

    @Override
    public String position() {
      return file.position();
    }

    @Override
    public void close() {
      file.close();
    }
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
    KernelRecords records = new KernelRecords(sink, stampsBegin, place);
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
          throw new IOException(path + ": unexpected end of file");
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
      // A FIFO that is opened for writing too neither waits for a writer nor ends with one.
      Set<OpenOption> options =
          FileKind.of(path) == FileKind.PIPE
              ? Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE)
              : Set.of(StandardOpenOption.READ);
      return FileChannel.open(path, options);
    } catch (AccessDeniedException denied) {
      throw new IOException(
          "cannot read " + path + ": permission denied; requires root or CAP_SYSLOG", denied);
    } catch (NoSuchFileException missing) {
      throw new IOException("cannot read " + path + ": no such file", missing);
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

  /** Turns records of the kernel into lines, and sees when some are missing (B-7). */
  static final class KernelRecords implements LineSource.Sink {
    private final LineSource.Sink lines;
    private final Instant stampsBegin;
    private KernelPlace place;

    /** Nothing but what was read before has come yet. */
    private boolean catchingUp = true;

    private boolean overlaps;

    /**
     * Creates a sink.
     *
     * @param stampsBegin what the kernel's stamps count from, on the wall clock
     * @param place how far an earlier reader has come
     */
    KernelRecords(LineSource.Sink lines, Instant stampsBegin, KernelPlace place) {
      this.lines = lines;
      this.stampsBegin = stampsBegin;
      this.place = place;
    }

    @Override
    public void line(String text, Instant at) {
      if (text.startsWith(" ")) {
        return; // what the record before is about, as key and value
      }
      Optional<KmsgRecord> parsed = KmsgRecord.parse(text);
      if (parsed.isEmpty()) {
        String message = text.strip();
        if (!message.isEmpty()) {
          lines.line(message, at); // a stand-in may hold bare messages
        }
        return;
      }
      KmsgRecord kernel = parsed.get();
      if (catchingUp && place.covers(kernel)) {
        overlaps = true;
        return;
      }
      reportMissing(kernel);
      place = new KernelPlace(kernel.sequence(), kernel.micros());
      catchingUp = false; // a stand-in may count from zero again
      if (!kernel.message().isEmpty()) {
        Instant logged = stampsBegin.plus(kernel.micros(), ChronoUnit.MICROS);
        if (kernel.isWholeKernelRecord()) {
          lines.line(kernel.message(), logged);
        } else {
          lines.foreignLine(kernel.message(), logged);
        }
      }
    }

    /** A place without a number does not say how many are missing. */
    private void reportMissing(KmsgRecord next) {
      String why =
          catchingUp ? KernelPlace.OVERWRITTEN : "the kernel log overflowed before it was read";
      if (place.sequence() >= 0 && next.sequence() > place.sequence() + 1) {
        lines.gap(next.sequence() - place.sequence() - 1, why);
      } else if (place.sequence() < 0 && place.micros() >= 0 && !overlaps) {
        lines.gap(1, why);
      }
    }

    @Override
    public void foreignLine(String text, Instant at) {
      lines.foreignLine(text, at);
    }

    @Override
    public void upToDate() {
      lines.upToDate();
    }

    @Override
    public void gap(long count, String why) {
      lines.gap(count, why);
    }

    /** {@return how far the records have been read, here or by an earlier reader} */
    KernelPlace place() {
      return place;
    }
  }
}
