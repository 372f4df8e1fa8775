package io.probelet.manifest;

import io.probelet.document.field.Problem;
import io.probelet.health.TimeSource;
import io.probelet.manifest.InvalidFile.Use;
import io.probelet.monitor.rule.Monitor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Monitor files that are reread after each change (B-12). An invalid file is rejected and its
 * previous monitors stay; at the start it has none. The monitors of a deleted file are removed.
 */
public final class MonitorFolder implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MonitorFolder.class);

  private final TimeSource time;
  private final Monitors first;
  private final boolean namedPathIsInvalid;
  private final AtomicLong changes = new AtomicLong();
  private final AtomicLong refusals = new AtomicLong();
  private Map<Path, Monitors> files = new LinkedHashMap<>();
  private Set<Problem> known = new HashSet<>();
  private FolderWatch folder;
  private List<Path> named;
  private volatile List<InvalidFile> invalid = List.of();

  /** Whether the files differ from those of the monitors in use. */
  private boolean replaced;

  /**
   * Reads files for the first time.
   *
   * @param paths files, and directories with {@code *.json}, {@code *.yaml} and {@code *.yml} files
   */
  public MonitorFolder(List<Path> paths, TimeSource time) {
    this.time = time;
    named = List.copyOf(paths);
    folder = new FolderWatch(paths, time);
    FoundFiles found = folder.first().found();
    List<Problem> problems = new ArrayList<>(found.problems());
    files = read(found, problems);
    known.addAll(problems);
    invalid = InvalidFile.among(problems, _ -> Use.NOTHING);
    namedPathIsInvalid = InvalidFile.isAnyNamed(invalid, paths);
    first = new Monitors(monitors(), problems);
  }

  /**
   * {@return whether a path that the user named is itself invalid at the first reading, not a file
   * in a folder}
   */
  public boolean namedPathIsInvalid() {
    return namedPathIsInvalid;
  }

  /**
   * {@return the files whose current content is not in use, by path; may be called from any thread}
   */
  public List<InvalidFile> invalid() {
    return invalid;
  }

  /** Reads files; a file with errors keeps its previous monitors. */
  private Map<Path, Monitors> read(FoundFiles found, List<Problem> problems) {
    Map<Path, Monitors> now = new LinkedHashMap<>();
    for (Path file : found.files()) {
      Monitors read = Monitors.readFile(file);
      problems.addAll(read.problems());
      now.put(file, read.hasErrors() ? files.getOrDefault(file, Monitors.NONE) : read);
    }
    found.keepUnseen(files, now);
    files.forEach((file, monitors) -> {
      if (named.contains(file)) { // a file of a folder is deleted on purpose, a named one is not
        now.putIfAbsent(file, monitors);
      }
    });
    return now;
  }

  /** {@return the result of the first reading} */
  public Monitors first() {
    return first;
  }

  /** {@return the number of reloads that changed monitors} */
  public long changes() {
    return changes.get();
  }

  /** {@return the number of rejected files after the first reading} */
  public long refusals() {
    return refusals.get();
  }

  /**
   * Starts to watch, on a new thread.
   *
   * @param listener receives all monitors after each change
   */
  public void watch(Consumer<List<Monitor>> listener) {
    if (!folder.isEmpty()) {
      folder.start("monitors", now -> update(now.found(), listener));
    }
  }

  /**
   * Watches other files instead. Their monitors are used once all of them are valid; until then the
   * previous ones stay.
   *
   * @param paths files and folders, as at first
   * @param listener receives all monitors then and after each change
   */
  public void use(List<Path> paths, Consumer<List<Monitor>> listener) {
    folder.close();
    named = List.copyOf(paths);
    folder = new FolderWatch(paths, time);
    replaced = true;
    known = new HashSet<>();
    if (folder.isEmpty()) {
      replace(Map.of(), listener);
    }
    watch(listener);
  }

  private void update(FoundFiles found, Consumer<List<Monitor>> listener)
      throws InterruptedException {
    List<Problem> problems = new ArrayList<>(found.problems());
    Map<Path, Monitors> now = read(found, problems);
    if (Thread.interrupted()) {
      throw new InterruptedException("closed while reading");
    }
    problems.stream().filter(problem -> !known.contains(problem)).forEach(this::log);
    known = new HashSet<>(problems);
    invalid = InvalidFile.among(problems, path -> use(Path.of(path), now));
    if (!replaced || problems.stream().noneMatch(Problem::isError)) {
      replace(now, listener);
    }
  }

  private static Use use(Path path, Map<Path, Monitors> now) {
    if (!now.getOrDefault(path, Monitors.NONE).monitors().isEmpty()) {
      return Use.LAST_VALID;
    }
    return now.entrySet().stream()
            .anyMatch(file ->
                path.equals(file.getKey().getParent()) && !file.getValue().monitors().isEmpty())
        ? Use.LAST_LISTED
        : Use.NOTHING;
  }

  private void replace(Map<Path, Monitors> now, Consumer<List<Monitor>> listener) {
    List<Monitor> before = monitors();
    files = now;
    if (replaced || !monitors().equals(before)) {
      replaced = false;
      changes.incrementAndGet();
      LOG.info("monitors reloaded files={}", files.size());
      listener.accept(monitors());
    }
  }

  private void log(Problem problem) {
    if (problem.isError()) {
      refusals.incrementAndGet();
      LOG.error("invalid monitors, keeping the previous ones reason=\"{}\"", problem);
    } else {
      LOG.warn("monitor file problem reason=\"{}\"", problem);
    }
  }

  private List<Monitor> monitors() {
    return files.values().stream().flatMap(file -> file.monitors().stream()).toList();
  }

  /** Stops the watch; the listener is not called after this returns. */
  @Override
  public void close() {
    folder.close();
  }
}
