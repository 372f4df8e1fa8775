package io.probelet.agent.incident;

import io.probelet.health.FailureReason;
import io.probelet.health.PrivateFiles;
import io.probelet.health.Threads;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file of incidents: a JSON object on each line. New ones are appended; a file that has grown
 * to {@link #MAX_BYTES} is replaced by what is still kept. An unreadable file is reported and
 * ignored, and so is a line that a crash has cut. Writes on its own thread; while that is behind,
 * incidents are written together.
 */
public final class IncidentFile implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(IncidentFile.class);

  /** A file of this size is replaced; it may come to twice as much. */
  static final int MAX_BYTES = 4 * IncidentStore.MAX_SIZE;

  private static final int MAX_WAITING = 64;
  private static final Duration END = Duration.ofSeconds(2);

  private final @Nullable Path file;
  private boolean complained;

  /** Whether the next write must hold all that is kept. */
  private volatile boolean whole = true; // a crash may have cut the last line

  private final Threads threads;
  private final ThreadPoolExecutor writer;

  private IncidentFile(@Nullable Path file, Threads threads) {
    this.file = file;
    this.threads = threads;
    writer =
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_WAITING),
            threads.ofPlatform().name("incidents").factory(),
            (_, _) -> whole = true); // the next write has all of them
  }

  /**
   * {@return a file in the state folder}
   *
   * @param stateFolder the folder; created at the first write
   */
  public static IncidentFile in(Path stateFolder, Threads threads) {
    return new IncidentFile(stateFolder.resolve("incidents.jsonl"), threads);
  }

  /** {@return no file: what is recorded ends with the process} */
  public static IncidentFile none() {
    return new IncidentFile(null, Threads.MACHINE);
  }

  /** {@return the lines of the file, oldest first} */
  List<String> read() {
    if (file == null) {
      return List.of();
    }
    try {
      return new String(PrivateFiles.read(file, 2 * MAX_BYTES), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && line.length() <= IncidentStore.MAX_INCIDENT)
          .toList();
    } catch (NoSuchFileException firstStart) {
      return List.of();
    } catch (IOException unreadable) {
      LOG.warn(
          "cannot read earlier incidents, continuing without them file={} reason=\"{}\"",
          file,
          FailureReason.of(unreadable).lines().findFirst().orElse(""));
      return List.of();
    }
  }

  /** Appends one, or writes all where the file has grown or writes are behind. */
  void append(String json, Supplier<List<String>> all) {
    execute(() -> {
      if (whole || (Files.exists(path()) && Files.size(path()) + json.length() > MAX_BYTES)) {
        replace(all);
      } else {
        appendLine(json);
      }
    });
  }

  /** Writes all. */
  void replaceSoon(Supplier<List<String>> all) {
    execute(() -> replace(all));
  }

  private Path path() {
    return Objects.requireNonNull(file, "only a file is written");
  }

  private void appendLine(String json) throws IOException {
    Path folder = path().toAbsolutePath().getParent();
    if (folder != null) {
      PrivateFiles.createFolders(folder);
    }
    try (FileChannel out =
        PrivateFiles.open(
            path(),
            Set.of(
                StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND))) {
      ByteBuffer line = StandardCharsets.UTF_8.encode(json + '\n');
      while (line.hasRemaining()) {
        out.write(line);
      }
    }
  }

  private void replace(Supplier<List<String>> all) throws IOException {
    whole = false;
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (String json : all.get()) {
      content.writeBytes(json.getBytes(StandardCharsets.UTF_8));
      content.write('\n');
    }
    PrivateFiles.replace(path(), content.toByteArray());
  }

  /** A write that may fail. */
  @FunctionalInterface
  private interface Write {
    void run() throws IOException;
  }

  private void execute(Write write) {
    if (file == null || writer.isShutdown()) {
      return;
    }
    writer.execute(() -> {
      try {
        write.run();
        complained = false;
      } catch (IOException failed) {
        whole = true;
        if (!complained) {
          LOG.warn(
              "cannot save incidents, they are lost at an agent restart file={} reason=\"{}\"",
              file,
              FailureReason.of(failed));
        }
        complained = true;
      }
    });
  }

  /** Finishes what is being written, for two seconds at most. */
  @Override
  public void close() {
    var _ = Threads.finish(threads, writer, END);
  }
}
