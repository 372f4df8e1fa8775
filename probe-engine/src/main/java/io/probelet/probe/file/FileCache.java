package io.probelet.probe.file;

import io.probelet.health.TimeSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Values made from files, remade when a file changes. Files are checked at most once a second and
 * never concurrently. Shared by all loops.
 *
 * @param <K> names what is made
 * @param <V> what is made
 */
public final class FileCache<K, V> {
  private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();

  private final FileThreads threads;
  private final TimeSource time;
  private final Function<K, List<Path>> files;
  private final Maker<K, V> maker;
  private final Map<K, Cached<V>> entries;

  /** Being read; one that hangs in the kernel holds one thread and not one more at each check. */
  private final Set<K> busy = ConcurrentHashMap.newKeySet();

  /**
   * Makes a value, on one of the {@link FileThreads}.
   *
   * @param <K> names what is made
   * @param <V> what is made
   */
  @FunctionalInterface
  public interface Maker<K, V> {
    /**
     * Reads what is needed.
     *
     * @param key what to make
     * @return the value
     * @throws BadFileException if a file is not what it should be
     */
    V make(K key) throws BadFileException;
  }

  /** A value, when its files were last checked, and their stamps then. */
  private record Cached<V>(CompletableFuture<V> value, long checkedAt, List<Stamp> stamps) {}

  /** What changes of a file when its contents do. */
  private record Stamp(long modified, long size, @Nullable Object key) {
    static final Stamp ABSENT = new Stamp(0, -1, null);
  }

  /**
   * Creates an empty cache.
   *
   * @param most how many values are kept; the one that was not asked for the longest goes first
   * @param threads where files are read and values are made
   * @param time measures how long ago files were checked
   * @param files that a value is made of; a value of no files is made once
   * @param maker makes the values
   */
  public FileCache(
      int most,
      FileThreads threads,
      TimeSource time,
      Function<K, List<Path>> files,
      Maker<K, V> maker) {
    this.threads = threads;
    this.time = time;
    this.files = files;
    this.maker = maker;
    entries =
        new LinkedHashMap<>(16, 0.75f, true) {
          @Override
          protected boolean removeEldestEntry(Map.Entry<K, Cached<V>> eldest) {
            return size() > most;
          }
        };
  }

  /**
   * Finds or makes a value.
   *
   * @param key what is wanted
   * @return complete already, or completed on another thread; fails with {@link BadFileException},
   *     or with whatever else went wrong
   */
  @SuppressWarnings("FutureReturnValueIgnored") // the value carries the outcome
  public CompletableFuture<V> get(K key) {
    CompletableFuture<V> value = new CompletableFuture<>();
    Cached<V> known;
    synchronized (entries) {
      known = entries.get(key);
      long now = time.nanoTime();
      if (known != null
          && (!known.value().isDone()
              || now - known.checkedAt() < FRESH_NANOS
              || (files.apply(key).isEmpty() && !known.value().isCompletedExceptionally()))) {
        return known.value();
      }
      if (!busy.add(key)) {
        return CompletableFuture.failedFuture(
            new BadFileException("files " + files.apply(key) + " are still being read", null));
      }
      entries.put(key, new Cached<>(value, now, List.of()));
    }
    threads
        .call(() -> refreshed(key, known, value), () -> busy.remove(key))
        .whenComplete((made, failure) -> {
          if (failure == null) {
            value.complete(made);
          } else {
            value.completeExceptionally(failure);
          }
        });
    return value;
  }

  private V refreshed(K key, @Nullable Cached<V> known, CompletableFuture<V> value)
      throws BadFileException {
    List<Stamp> stamps = files.apply(key).stream().map(FileCache::stamp).toList();
    synchronized (entries) {
      entries.replace(key, new Cached<>(value, time.nanoTime(), stamps));
    }
    V made =
        known != null && known.stamps().equals(stamps) && !known.value().isCompletedExceptionally()
            ? known.value().resultNow()
            : maker.make(key);
    if (value.isDone()) { // nobody waits any more, but who asks next need not wait again
      synchronized (entries) {
        entries.put(
            key, new Cached<>(CompletableFuture.completedFuture(made), time.nanoTime(), stamps));
      }
    }
    return made;
  }

  private static Stamp stamp(Path file) {
    try {
      BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
      return new Stamp(now.lastModifiedTime().toMillis(), now.size(), now.fileKey());
    } catch (IOException unreadable) {
      return Stamp.ABSENT; // making the value will say what is wrong
    }
  }
}
