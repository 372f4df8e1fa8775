package io.probelet.agent.run;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.probelet.document.tree.Position;
import io.probelet.health.OneLine;
import io.probelet.health.TimeSource;
import io.probelet.manifest.InvalidFile;
import io.probelet.manifest.InvalidFile.Use;
import io.probelet.web.api.ManifestsView;
import io.probelet.web.api.ManifestsView.InvalidFileView;
import io.probelet.web.api.NodeView.EventView;
import io.probelet.web.http.HealthResource.Check;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The manifest files that are not used as they are now: named in the log, the API, events, metrics
 * and readiness until they are fixed or deleted. Safe for use by several threads.
 */
final class InvalidManifests implements Check {
  private static final Logger LOG = LoggerFactory.getLogger(InvalidManifests.class);

  private static final int MAX_PATH = 300;
  private static final int MAX_EVENTS = 100;

  /** So many files are named in the detail of /readyz. */
  private static final int MAX_IN_NOTE = 3;

  private static final String SOURCE = "manifests";

  private final TimeSource time;
  private final MultiGauge files;
  private final Deque<EventView> events = new ArrayDeque<>();
  private Map<String, InvalidFileView> invalid = Map.of();
  private ManifestsView shown = ManifestsView.VALID;
  private int pods;
  private boolean folderLost;

  /** Creates a report without files. */
  InvalidManifests(MeterRegistry registry, TimeSource time) {
    this.time = time;
    Gauge.builder("probelet.manifest.invalid.files", () -> view().total())
        .description("Manifest files whose current content is not in use.")
        .register(registry);
    files =
        MultiGauge.builder("probelet.manifest.invalid")
            .description(
                "1 for each manifest file whose current content is not in use, up to 20 files.")
            .register(registry);
  }

  /**
   * Takes the invalid files there are now.
   *
   * @param now all of them, by path
   * @param wanted how many pods there are of valid files and last valid versions
   */
  synchronized void update(List<InvalidFile> now, int wanted) {
    Map<String, InvalidFileView> views = new HashMap<>();
    List<InvalidFileView> first = new ArrayList<>();
    String at = time.wallTime().truncatedTo(ChronoUnit.MILLIS).toString();
    for (InvalidFile file : now) {
      InvalidFileView view = view(file, at);
      InvalidFileView before = invalid.get(file.path());
      if (before != null && sameAs(before, view)) {
        view = before;
      } else if (first.size() < ManifestsView.MAX_FILES) {
        LOG.error(
            "invalid manifest, {} file={} reason=\"{}\"",
            view.consequence(),
            view.file(),
            view.text());
        add("InvalidManifest", view.text() + "; " + view.consequence());
      }
      views.put(file.path(), view);
      if (first.size() < ManifestsView.MAX_FILES) {
        first.add(view);
      }
    }
    Set<String> fixed = new HashSet<>(invalid.keySet());
    fixed.removeAll(views.keySet());
    fixed.stream()
        .sorted()
        .limit(ManifestsView.MAX_FILES)
        .forEach(path -> {
          String file = OneLine.of(path, MAX_PATH);
          LOG.info("manifest fixed or removed file={}", file);
          add("ManifestFixed", file + " was fixed or removed");
        });
    invalid = views;
    pods = wanted;
    folderLost = now.stream().anyMatch(file -> file.use() == Use.LAST_LISTED);
    shown = new ManifestsView(first, now.size() - first.size());
    files.register(
        first.stream().map(view -> Row.of(Tags.of("file", view.file()), 1)).toList(), true);
  }

  private static boolean sameAs(InvalidFileView before, InvalidFileView now) {
    return now.text().equals(before.text()) && now.use().equals(before.use());
  }

  private void add(String reason, String message) {
    if (events.size() == MAX_EVENTS) {
      events.removeFirst();
    }
    Instant at = time.wallTime().truncatedTo(ChronoUnit.MILLIS);
    events.addLast(new EventView(at.toString(), SOURCE, reason, message));
  }

  private static InvalidFileView view(InvalidFile file, String since) {
    Position at = file.error().at();
    return new InvalidFileView(
        OneLine.of(file.path(), MAX_PATH),
        at == null ? 0 : at.line(),
        at == null ? 0 : at.column(),
        file.error().field(),
        file.error().message(),
        file.errors(),
        switch (file.use()) {
          case NOTHING -> "Nothing";
          case LAST_VALID, LAST_LISTED -> "LastValid";
          case OTHER_PODS -> "OtherPods";
        },
        since);
  }

  /** {@return the invalid files, the first of them by path} */
  synchronized ManifestsView view() {
    return shown;
  }

  /** {@return when files became invalid and valid again, oldest first} */
  synchronized List<EventView> events() {
    return List.copyOf(events);
  }

  /** Nothing is probed, although there are manifests; or changes of a folder go unnoticed. */
  @Override
  public synchronized Optional<String> problem() {
    if (folderLost) {
      return Optional.of("a folder cannot be read: " + text());
    }
    return pods == 0 && shown.total() > 0
        ? Optional.of("no valid manifest: " + text())
        : Optional.empty();
  }

  @Override
  public synchronized String note() {
    return shown.total() == 0 ? "" : shown.total() + " invalid: " + text();
  }

  private String text() {
    List<String> texts =
        shown.invalid().stream()
            .limit(MAX_IN_NOTE)
            .map(file -> file.text() + " (" + file.consequence() + ")")
            .toList();
    int more = shown.total() - texts.size();
    return String.join("; ", texts) + (more > 0 ? "; and " + more + " more" : "");
  }
}
