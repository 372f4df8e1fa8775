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
 * Reads the kernel's messages from {@code /dev/kmsg}, or from a FIFO as a stand-in. A regular file
 * can be a stand-in too, with or without line prefixes ({@link #of}). Reading requires no root, but
 * {@code CAP_SYSLOG} if {@code kernel.dmesg_restrict} is set.
 */
public final class KmsgSource implements LineSource {
  private static final Path DEVICES = Path.of("/dev");
  private static final int LARGEST_RECORD = 16 * 1024;

  /** The device does not report its end: after this time without a record it is assumed. */
  private static final Duration BACKLOG = Duration.ofMillis(300);

  /** About ten seconds: even a log without pauses must count as up to date at some point. */
  private static final int MOST_WAITS = 34;

  private final Path path;
  private final Instant stampsBegin;
  private final TimeSource time;
  private final Pause pause = new Pause();
  private volatile KernelPlace place;

  /** Changes with each record, and is odd while one is being passed on. */
  private final AtomicLong steps = new AtomicLong();

  private volatile @Nullable FileChannel open;

  KmsgSource(Path path, Instant stampsBegin, String position, TimeSource time) {
    this.path = path;
    this.stampsBegin = stampsBegin;
    this.time = time;
    place = KernelPlace.parse(position);
  }

  /**
   * Creates a source of a device, a FIFO or a regular file.
   *
   * @param path the configured path; a path that does not exist yet counts as a regular file
   * @param stampsBegin the start of the kernel's timestamps, on the wall clock
   * @param lookback how much is read of the existing content of a regular file
   * @param position an earlier {@link #position} of the same boot; else empty
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

  /** {@return whether a device can be opened: most containers cannot open devices of the host} */
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
      // Opening a FIFO also for writing avoids waiting for a writer and an end when the writer
      // closes it.
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

  /**
   * Reads one record; 0 if the oldest unread one was overwritten, which shows in the next number.
   */
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

  /**
   * Turns records as the device has them into lines, and detects missing ones (B-7). For readers of
   * something other than a file, too.
   */
  public static final class KernelRecords implements LineSource.Sink {
    private final LineSource.Sink lines;
    private final Instant stampsBegin;
    private KernelPlace place;

    /** Only records read before have arrived so far. */
    private boolean catchingUp = true;

    private boolean overlaps;

    /**
     * Creates a sink.
     *
     * @param stampsBegin the start of the kernel's timestamps, on the wall clock
     * @param position of an earlier reader; empty if there is none
     */
    public KernelRecords(LineSource.Sink lines, Instant stampsBegin, String position) {
      this(lines, stampsBegin, KernelPlace.parse(position));
    }

    KernelRecords(LineSource.Sink lines, Instant stampsBegin, KernelPlace place) {
      this.lines = lines;
      this.stampsBegin = stampsBegin;
      this.place = place;
    }

    @Override
    public void line(String text, Instant at) {
      if (text.startsWith(" ")) {
        return; // properties of the record before, as key and value
      }
      Optional<KmsgRecord> parsed = KmsgRecord.parse(text);
      if (parsed.isEmpty()) {
        String message = text.strip();
        if (!message.isEmpty()) {
          lines.line(message, at); // a stand-in may contain bare messages
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
      catchingUp = false; // a stand-in may restart at zero
      if (!kernel.message().isEmpty()) {
        Instant logged = stampsBegin.plus(kernel.micros(), ChronoUnit.MICROS);
        if (kernel.isWholeKernelRecord()) {
          lines.line(kernel.message(), logged);
        } else {
          lines.foreignLine(kernel.message(), logged);
        }
      }
    }

    /** Without a sequence number the count of missing records is unknown. */
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

    /** {@return the read position, of this or an earlier reader} */
    KernelPlace place() {
      return place;
    }

    /** {@return the read position as text, for a later reader} */
    public String position() {
      return place.toString();
    }
  }
}
