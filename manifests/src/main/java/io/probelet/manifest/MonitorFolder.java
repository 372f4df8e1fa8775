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
 * Monitor files that are read again whenever they change (B-12). A file that is broken is refused
 * and its monitors of before stay, which at the start are none; those of a file that is gone go
 * with it.
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

  /** Whether the files are others than those of the monitors that are in use. */
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

  /** {@return the files whose present content is not used, by path; any thread may ask} */
  public List<InvalidFile> invalid() {
    return invalid;
  }

  /** Reads files; one with errors has the monitors it had before. */
  private Map<Path, Monitors> read(FoundFiles found, List<Problem> problems) {
    Map<Path, Monitors> now = new LinkedHashMap<>();
    for (Path file : found.files()) {
      Monitors read = Monitors.readFile(file);
      problems.addAll(read.problems());
      now.put(file, read.hasErrors() ? files.getOrDefault(file, Monitors.NONE) : read);
    }
    found.keepUnseen(files, now);
    files.forEach((file, monitors) -> {
      if (named.contains(file)) { // one of a folder is deleted on purpose, one that is named is not
        now.putIfAbsent(file, monitors);
      }
    });
    return now;
  }

  /** {@return what the first reading came to} */
  public Monitors first() {
    return first;
  }

  /** {@return how often other monitors were taken than before} */
  public long changes() {
    return changes.get();
  }

  /** {@return how often a file was refused after the first reading} */
  public long refusals() {
    return refusals.get();
  }

  /**
   * Begins to watch, on a thread of its own.
   *
   * @param listener takes all monitors there are, each time they are others than before
   */
  public void watch(Consumer<List<Monitor>> listener) {
    if (!folder.isEmpty()) {
      folder.start("monitors", now -> update(now.found(), listener));
    }
  }

  /**
   * Watches other files instead. Their monitors are taken once none of them is broken; until then
   * those of before stay.
   *
   * @param paths files and folders, as at first
   * @param listener takes all monitors there are, then and each time they are others than before
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
      throw new InterruptedException("closed while reading, which may have broken it off");
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

  /** Stops watching; the listener is not called any more when this returns. */
  @Override
  public void close() {
    folder.close();
  }
}
