package io.probelet.simulation.node;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The files of a simulated node, in memory. They survive the node's processes. A loss of power
 * spares only what has reached the disk.
 *
 * <pre>
 *   written ──── at most 5 s ────► on disk
 *   power lost before: the file as it was, as it is, or the beginning of what was added
 * </pre>
 */
public final class NodeFiles {
  /** The suffix of a file that replaces another once it is written. */
  private static final String NEXT_VERSION = ".new";

  private final FileSystem files;
  private final Path state;
  private Map<String, byte[]> durable = new TreeMap<>();
  private FileTime changed = FileTime.fromMillis(0);

  /**
   * Creates an empty disk.
   *
   * @param clock dates its files
   */
  NodeFiles(Supplier<Instant> clock) {
    files =
        Jimfs.newFileSystem(
            Configuration.unix().toBuilder()
                .setAttributeViews("basic", "owner", "posix", "unix")
                .setWorkingDirectory("/")
                .setFileTimeSource(() -> FileTime.from(clock.get()))
                .build());
    state = folder("/var/lib/probelet");
  }

  /** {@return the folder where an agent keeps its state} */
  public Path state() {
    return state;
  }

  /** {@return a path of the node} */
  public Path path(String path) {
    return files.getPath(path);
  }

  private Path folder(String path) {
    try {
      return Files.createDirectories(files.getPath(path));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** Writes a whole file of the node's kernel or of other programs. */
  public void write(String path, String content) {
    try {
      Path file = files.getPath(path);
      Path folder = file.getParent();
      if (folder != null) {
        Files.createDirectories(folder);
      }
      Files.writeString(file, content);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** {@return the lines of a file in the state folder that are complete; none if it is missing} */
  public List<String> lines(String name) {
    try {
      Path file = state.resolve(name);
      if (!Files.exists(file)) {
        return List.of();
      }
      return Files.readAllLines(file).stream().filter(line -> line.endsWith("}")).toList();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** Writes the state folder to the disk, as the kernel does every five seconds. */
  void sync() {
    try {
      FileTime now = Files.getLastModifiedTime(state);
      if (!now.equals(changed)) { // a file that is replaced changes its folder
        changed = now;
        durable = content();
      }
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private Map<String, byte[]> content() throws IOException {
    Map<String, byte[]> content = new TreeMap<>();
    try (Stream<Path> all = Files.walk(state)) {
      for (Path file : (Iterable<Path>) all.filter(Files::isRegularFile)::iterator) {
        content.put(file.toString(), Files.readAllBytes(file));
      }
    }
    return content;
  }

  /** Loses what has not reached the disk, or a part of it. */
  void losePower(RandomGenerator random) {
    try {
      Map<String, byte[]> now = content();
      TreeSet<String> names = new TreeSet<>(now.keySet());
      names.addAll(durable.keySet());
      for (String name : names) {
        byte[] old = durable.get(name);
        byte[] written = now.get(name);
        if (!Arrays.equals(old, written) && random.nextBoolean()) {
          lose(files.getPath(name), old, written, random);
        }
      }
      changed = FileTime.fromMillis(0);
      sync();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static void lose(
      Path file, byte @Nullable [] old, byte @Nullable [] written, RandomGenerator random)
      throws IOException {
    if (old == null) {
      if (written != null && written.length > 0 && random.nextBoolean()) {
        Files.write(file, Arrays.copyOf(written, random.nextInt(written.length)));
      } else {
        Files.deleteIfExists(file);
      }
    } else if (written != null && startsWith(written, old)) {
      Files.write(file, Arrays.copyOf(written, random.nextInt(old.length, written.length)));
    } else {
      Files.write(file, old);
    }
  }

  private static boolean startsWith(byte[] whole, byte[] beginning) {
    return whole.length > beginning.length
        && Arrays.equals(whole, 0, beginning.length, beginning, 0, beginning.length);
  }

  /**
   * Leaves a part of a file's next version beside it, as a process that is killed in a write does.
   */
  public void tearWrite(RandomGenerator random) {
    writeBeginnings(name -> !name.endsWith(NEXT_VERSION), NEXT_VERSION, random);
  }

  /** Truncates files of the state folder, as a broken disk does. */
  public void corrupt(RandomGenerator random) {
    writeBeginnings(_ -> true, "", random);
  }

  /** Writes the beginnings of some files to their names with a suffix. */
  private void writeBeginnings(Predicate<String> which, String suffix, RandomGenerator random) {
    try {
      for (Map.Entry<String, byte[]> each : content().entrySet()) {
        int length = each.getValue().length;
        if (length > 0 && which.test(each.getKey()) && random.nextBoolean()) {
          Files.write(
              files.getPath(each.getKey() + suffix),
              Arrays.copyOf(each.getValue(), random.nextInt(length)));
        }
      }
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
