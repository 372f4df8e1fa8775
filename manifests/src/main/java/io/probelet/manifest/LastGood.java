package io.probelet.manifest;

import io.probelet.document.field.Problem;
import io.probelet.manifest.ManifestChange.Replacement;
import io.probelet.manifest.pod.PodSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The pods that should run, as files change: a file with errors keeps the pods it had when it was
 * last good, a file that is gone has none.
 */
final class LastGood {
  private Map<Path, List<PodSource>> podsByFile = new LinkedHashMap<>();
  private Map<String, PodSource> running = new LinkedHashMap<>();
  private List<Problem> problems;
  private final Manifests first;

  /** Begins with whatever pods there are, those of files with errors too. */
  LastGood(List<FileManifests> files, FoundFiles found) {
    for (FileManifests file : files) {
      podsByFile.put(file.file(), file.pods());
    }
    first = FileManifests.join(files, found.problems());
    problems = first.problems();
    first.pods().forEach(pod -> running.put(pod.ref().toString(), pod));
  }

  /** Returns what it began with. */
  Manifests first() {
    return first;
  }

  /** Takes in what the files are now; empty when it makes no difference. */
  Optional<ManifestChange> update(List<FileManifests> files, FoundFiles found) {
    podsByFile = merged(files, found);
    Map<String, PodSource> wanted = wanted();
    List<PodSource> added = new ArrayList<>();
    List<Replacement> replaced = new ArrayList<>();
    wanted.forEach((name, pod) -> {
      PodSource before = running.get(name);
      if (before == null) {
        added.add(pod);
      } else if (!before.ref().equals(pod.ref())) {
        replaced.add(new Replacement(before, pod));
      }
    });
    List<PodSource> removed = new ArrayList<>();
    running.forEach((name, pod) -> {
      if (!wanted.containsKey(name)) {
        removed.add(pod);
      }
    });
    List<Problem> before = problems;
    problems = FileManifests.join(files, found.problems()).problems();
    running = wanted;
    Set<Problem> old = new HashSet<>(before);
    List<Problem> news = problems.stream().filter(problem -> !old.contains(problem)).toList();
    boolean same = added.isEmpty() && replaced.isEmpty() && removed.isEmpty();
    return same && problems.equals(before)
        ? Optional.empty()
        : Optional.of(new ManifestChange(added, replaced, removed, problems, news));
  }

  private Map<Path, List<PodSource>> merged(List<FileManifests> files, FoundFiles found) {
    Map<Path, List<PodSource>> merged = new LinkedHashMap<>();
    for (FileManifests file : files) {
      List<PodSource> earlier = podsByFile.getOrDefault(file.file(), List.of());
      merged.put(file.file(), file.hasErrors() ? earlier : file.pods());
    }
    found.keepUnseen(podsByFile, merged);
    return merged;
  }

  /** Of pods with the same name the one that runs stays, else the first is taken. */
  private Map<String, PodSource> wanted() {
    Map<String, PodSource> wanted = new LinkedHashMap<>();
    for (List<PodSource> pods : podsByFile.values()) {
      for (PodSource pod : pods) {
        String name = pod.ref().toString();
        PodSource runs = running.get(name);
        if (runs != null && runs.ref().equals(pod.ref())) {
          wanted.put(name, pod);
        } else {
          wanted.putIfAbsent(name, pod);
        }
      }
    }
    return wanted;
  }
}
