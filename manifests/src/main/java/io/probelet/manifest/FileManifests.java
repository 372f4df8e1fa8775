package io.probelet.manifest;

import io.probelet.document.field.Problem;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Source;
import io.probelet.document.tree.SyntaxProblem;
import io.probelet.manifest.pod.Mode;
import io.probelet.manifest.pod.ObjectsReader;
import io.probelet.manifest.pod.PodSource;
import io.probelet.manifest.policy.PodRules;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What one file came to.
 *
 * @param file the file as the user named it
 * @param pods its valid pods
 * @param problems everything wrong with it
 */
record FileManifests(Path file, List<PodSource> pods, List<Problem> problems) {
  /** A watched folder's files are read into the agent's small heap. */
  private static final int MAX_MEBIBYTES = 1;

  FileManifests {
    pods = List.copyOf(pods);
    problems = List.copyOf(problems);
  }

  static FileManifests read(Path file, Mode mode, PodRules rules) {
    return switch (FileText.read(file, MAX_MEBIBYTES)) {
      case FileText.Text(Source source) -> read(file, source, mode, rules);
      case FileText.Unreadable(Problem problem) ->
          new FileManifests(file, List.of(), List.of(problem));
    };
  }

  static FileManifests read(Path file, Source source, Mode mode, PodRules rules) {
    boolean json = file.toString().endsWith(".json");
    Stream<Document> documents = json ? Stream.of(Document.json(source)) : Document.yaml(source);
    ObjectsReader objects = new ObjectsReader(file, source, mode, rules);
    List<PodSource> pods = new ArrayList<>();
    List<Problem> problems = new ArrayList<>();
    boolean empty = true;
    for (Document document : (Iterable<Document>) documents::iterator) {
      if (problems.size() >= Problems.MAX_PROBLEMS) {
        problems.add(
            Problem.ofFile(
                file,
                Severity.ERROR,
                "has many problems; from document " + document.number() + " on it was not read"));
        break;
      }
      empty &= document.root() == null && document.problems().isEmpty();
      pods.addAll(read(document, objects, file, problems));
    }
    if (empty) {
      problems.add(Problem.ofFile(file, Severity.WARNING, "is empty"));
    }
    return new FileManifests(file, pods, problems);
  }

  private static List<PodSource> read(
      Document document, ObjectsReader objects, Path file, List<Problem> all) {
    Problems problems = new Problems(file, document.number());
    for (SyntaxProblem problem : document.problems()) {
      problems.error(problem.at(), "", problem.message());
    }
    List<PodSource> pods =
        document.root() == null
            ? List.of()
            : objects.read(document.number(), document.root(), problems);
    all.addAll(problems.all());
    return document.problems().isEmpty() ? pods : List.of();
  }

  boolean hasErrors() {
    return problems.stream().anyMatch(Problem::isError);
  }

  /** Puts files together; of pods with the same namespace and name the first stays. */
  static Manifests join(List<FileManifests> files, List<Problem> furtherProblems) {
    List<Problem> problems = new ArrayList<>(furtherProblems);
    Map<String, PodSource> first = new HashMap<>();
    List<PodSource> pods = new ArrayList<>();
    for (FileManifests file : files) {
      problems.addAll(file.problems());
      for (PodSource pod : file.pods()) {
        PodSource earlier = first.putIfAbsent(pod.ref().toString(), pod);
        if (earlier == null) {
          pods.add(pod);
        } else {
          problems.add(duplicate(pod, earlier));
        }
      }
    }
    return new Manifests(pods, problems);
  }

  private static Problem duplicate(PodSource pod, PodSource earlier) {
    return new Problem(
        pod.file().toString(),
        pod.document(),
        pod.at(),
        Severity.ERROR,
        "metadata.name",
        "Duplicate value: \"%s\": the pod is defined in %s:%s (document %d) already"
            .formatted(pod.ref(), earlier.file(), earlier.at(), earlier.document()));
  }
}
