package io.probelet.manifest;

import io.probelet.document.field.Problem;
import io.probelet.manifest.InvalidFile.Use;
import io.probelet.manifest.ManifestChange.Replacement;
import io.probelet.manifest.pod.KindCounts;
import io.probelet.manifest.pod.PodSource;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * The pods that should run while files change. A file with errors, or an emptied one, keeps the
 * pods of its last valid content; at the start it has none. A deleted file has none.
 */
final class LastGood {
  private Map<Path, List<PodSource>> podsByFile = new LinkedHashMap<>();
  private Map<String, PodSource> running = Map.of();
  private List<Problem> problems = List.of();
  private List<InvalidFile> invalid = List.of();
  private final Manifests first;

  /** Begins with the pods of valid files. */
  LastGood(List<FileManifests> files, FoundFiles found) {
    take(files, found);
    first =
        new Manifests(
            List.copyOf(running.values()),
            problems,
            sum(files, FileManifests::checked),
            sum(files, FileManifests::others));
  }

  private static KindCounts sum(
      List<FileManifests> files, Function<FileManifests, KindCounts> counts) {
    return files.stream().map(counts).reduce(KindCounts.NONE, KindCounts::with);
  }

  /** Returns the pods at the start. */
  Manifests first() {
    return first;
  }

  /** Returns the files whose current content is not in use, by path. */
  List<InvalidFile> invalid() {
    return invalid;
  }

  /** Applies the current files; empty if nothing changes. */
  Optional<ManifestChange> update(List<FileManifests> files, FoundFiles found) {
    Map<String, PodSource> earlier = running;
    List<Problem> before = problems;
    List<InvalidFile> invalidBefore = invalid;
    take(files, found);
    List<PodSource> added = new ArrayList<>();
    List<Replacement> replaced = new ArrayList<>();
    running.forEach((name, pod) -> {
      PodSource ran = earlier.get(name);
      if (ran == null) {
        added.add(pod);
      } else if (!ran.ref().equals(pod.ref())) {
        replaced.add(new Replacement(ran, pod));
      }
    });
    List<PodSource> removed =
        earlier.entrySet().stream()
            .filter(pod -> !running.containsKey(pod.getKey()))
            .map(Map.Entry::getValue)
            .toList();
    Set<Problem> old = new HashSet<>(before);
    List<Problem> news = problems.stream().filter(problem -> !old.contains(problem)).toList();
    boolean same = added.isEmpty() && replaced.isEmpty() && removed.isEmpty();
    return same && problems.equals(before) && invalid.equals(invalidBefore)
        ? Optional.empty()
        : Optional.of(new ManifestChange(added, replaced, removed, problems, news, invalid));
  }

  private void take(List<FileManifests> read, FoundFiles found) {
    List<FileManifests> files =
        read.stream().map(file -> isEmptied(file) ? file.emptied() : file).toList();
    podsByFile = merged(files, found);
    List<Problem> all = new ArrayList<>(found.problems());
    files.forEach(file -> all.addAll(file.problems()));
    all.addAll(choose(files));
    problems = all.stream().sorted(Problem.BY_PLACE).toList();
    invalid = invalid(files, problems);
  }

  private boolean isEmptied(FileManifests file) {
    return file.blank() && !podsByFile.getOrDefault(file.file(), List.of()).isEmpty();
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

  /**
   * Of pods with the same name the running one stays, else the first is used. Returns an error for
   * each of the others, unless its file has other errors.
   */
  private List<Problem> choose(List<FileManifests> files) {
    Map<String, PodSource> chosen = new LinkedHashMap<>();
    podsByFile.values().stream()
        .flatMap(List::stream)
        .forEach(pod -> chosen.merge(FileManifests.name(pod), pod, this::preferred));
    List<Problem> duplicates = new ArrayList<>();
    for (FileManifests file : files) {
      for (PodSource pod : file.hasErrors() ? List.<PodSource>of() : file.pods()) {
        PodSource instead = chosen.get(FileManifests.name(pod));
        if (instead != null && !instead.equals(pod)) {
          duplicates.add(FileManifests.duplicate(pod, instead));
        }
      }
    }
    running = chosen;
    return duplicates;
  }

  private boolean runsAny(FileManifests file) {
    return file.pods().stream().anyMatch(pod -> pod.equals(running.get(FileManifests.name(pod))));
  }

  private PodSource preferred(PodSource first, PodSource second) {
    PodSource runs = running.get(FileManifests.name(first));
    return runs != null && !runs.ref().equals(first.ref()) && runs.ref().equals(second.ref())
        ? second
        : first;
  }

  private List<InvalidFile> invalid(List<FileManifests> files, List<Problem> all) {
    Map<String, Use> uses = new HashMap<>();
    podsByFile.forEach((file, pods) -> {
      if (!pods.isEmpty()) {
        uses.put(file.toString(), Use.LAST_VALID);
        if (file.getParent() != null) { // a folder that could not be listed
          uses.putIfAbsent(file.getParent().toString(), Use.LAST_LISTED);
        }
      }
    });
    files.stream()
        .filter(file -> !file.hasErrors())
        .forEach(
            file -> uses.put(file.file().toString(), runsAny(file) ? Use.OTHER_PODS : Use.NOTHING));
    return InvalidFile.among(all, path -> uses.getOrDefault(path, Use.NOTHING));
  }
}
