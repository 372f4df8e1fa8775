package io.probelet.manifest;

import io.probelet.document.field.Complaint;
import io.probelet.document.field.Problem;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Source;
import io.probelet.document.tree.SyntaxProblem;
import io.probelet.manifest.pod.KindCounts;
import io.probelet.manifest.pod.Mode;
import io.probelet.manifest.pod.ObjectsReader;
import io.probelet.manifest.pod.PodSource;
import io.probelet.manifest.pod.Purpose;
import io.probelet.manifest.policy.PodRules;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The result of reading one file.
 *
 * @param problems all its problems
 * @param checked its objects and documents that were checked and are no Pods, valid or not
 * @param others its objects of unsupported kinds, if they are expected
 * @param blank whether no document in it has content, and no line is a comment
 */
record FileManifests(
    Path file,
    List<PodSource> pods,
    List<Problem> problems,
    KindCounts checked,
    KindCounts others,
    boolean blank) {
  /** Files of a watched folder are read into the agent's small heap. */
  private static final int MAX_MEBIBYTES = 1;

  /**
   * For files that are read once: release files, or all pods of a large namespace in one document.
   */
  private static final int MAX_MEBIBYTES_ONCE = 16;

  private static final int MAX_VALUES_ONCE = 1_000_000;

  /** The name of a pipe in problems. */
  private static final Path PIPE = Path.of("<stdin>");

  FileManifests {
    pods = List.copyOf(pods);
    problems = List.copyOf(problems);
  }

  static FileManifests read(Path file, Purpose purpose) {
    return switch (FileText.read(file, MAX_MEBIBYTES)) {
      case FileText.Text(Source source) -> read(file, source, purpose);
      case FileText.Unreadable(Problem problem) -> unreadable(file, problem);
    };
  }

  /** Reads a file that is neither kept nor watched: it may be as large as piped input. */
  static FileManifests readOnce(Path file, Purpose purpose) {
    return switch (FileText.read(file, MAX_MEBIBYTES_ONCE)) {
      case FileText.Text(Source source) ->
          read(
              file,
              source,
              isJson(file)
                  ? Stream.of(Document.json(source, MAX_VALUES_ONCE))
                  : Document.yaml(source, MAX_VALUES_ONCE),
              purpose);
      case FileText.Unreadable(Problem problem) -> unreadable(file, problem);
    };
  }

  static FileManifests read(Path file, Source source, Mode mode, PodRules rules) {
    return read(file, source, Purpose.of(mode, rules));
  }

  static FileManifests read(Path file, Source source, Purpose purpose) {
    return read(
        file,
        source,
        isJson(file) ? Stream.of(Document.json(source)) : Document.yaml(source),
        purpose);
  }

  private static boolean isJson(Path file) {
    return file.toString().endsWith(".json");
  }

  /** Reads a pipe to its end, once. */
  static FileManifests readPipe(InputStream pipe, Purpose purpose) {
    return switch (FileText.read(pipe, PIPE, MAX_MEBIBYTES_ONCE)) {
      case FileText.Text(Source source) ->
          read(PIPE, source, Document.yaml(source, MAX_VALUES_ONCE), purpose.ofPipe());
      case FileText.Unreadable(Problem problem) -> unreadable(PIPE, problem);
    };
  }

  private static FileManifests unreadable(Path file, Problem problem) {
    return new FileManifests(
        file, List.of(), List.of(problem), KindCounts.NONE, KindCounts.NONE, false);
  }

  private static FileManifests read(
      Path file, Source source, Stream<Document> documents, Purpose purpose) {
    ObjectsReader objects = new ObjectsReader(file, source, purpose);
    List<PodSource> pods = new ArrayList<>();
    List<Problem> problems = new ArrayList<>();
    boolean empty = true;
    long mistakes = 0;
    for (Document document : (Iterable<Document>) documents::iterator) {
      if (mistakes >= Problems.MAX_PROBLEMS) {
        problems.add(
            Problem.ofFile(
                file,
                Severity.ERROR,
                "has too many problems; document "
                    + document.number()
                    + " and later ones were"
                    + " not read"));
        break;
      }
      empty &= document.root() == null && document.problems().isEmpty();
      int before = problems.size();
      pods.addAll(read(document, objects, file, problems));
      List<Problem> found = problems.subList(before, problems.size());
      mistakes += found.stream().filter(Problem::isErrorOrWarning).count();
    }
    if (empty) {
      problems.add(Problem.ofFile(file, Severity.WARNING, "is empty"));
    }
    boolean blank = empty && !hasComment(source);
    return new FileManifests(file, pods, problems, objects.checked(), objects.others(), blank);
  }

  /** In a file without content a line that starts so is a comment. */
  private static boolean hasComment(Source source) {
    return source.text().lines().anyMatch(line -> line.stripLeading().startsWith("#"));
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

  /** Returns the same as an error: a full disk or an unfinished copy leaves an empty file. */
  FileManifests emptied() {
    Problem problem =
        Problem.ofFile(
            file, Severity.ERROR, "is empty; to end its pods, delete it or comment them out");
    return new FileManifests(file, pods, List.of(problem), checked, others, blank);
  }

  boolean hasErrors() {
    return problems.stream().anyMatch(Problem::isError);
  }

  /** Merges files; of pods with the same namespace and name the first stays. */
  static Manifests join(List<FileManifests> files, List<Problem> furtherProblems) {
    List<Problem> problems = new ArrayList<>(furtherProblems);
    Map<String, PodSource> first = new HashMap<>();
    List<PodSource> pods = new ArrayList<>();
    KindCounts checked = KindCounts.NONE;
    KindCounts others = KindCounts.NONE;
    for (FileManifests file : files) {
      problems.addAll(file.problems());
      checked = checked.with(file.checked());
      others = others.with(file.others());
      for (PodSource pod : file.pods()) {
        PodSource earlier = first.putIfAbsent(name(pod), pod);
        if (earlier == null) {
          pods.add(pod);
        } else {
          problems.add(duplicate(pod, earlier));
        }
      }
    }
    return new Manifests(pods, problems, checked, others);
  }

  /** Here the name identifies a pod; in a cluster each pod of a workload gets its own name. */
  static String name(PodSource pod) {
    return pod.local() == null ? pod.kind() + " " + pod.ref() : pod.ref().toString();
  }

  private static String what(PodSource pod) {
    return pod.kind().equals("Pod") ? "pod" : pod.kind();
  }

  static Problem duplicate(PodSource pod, PodSource earlier) {
    return new Problem(
        pod.file().toString(),
        pod.document(),
        pod.at(),
        Severity.ERROR,
        "metadata.name",
        "Duplicate value: \"%s\": the %s is defined in %s:%s (document %d) already"
            .formatted(pod.ref(), what(earlier), earlier.file(), earlier.at(), earlier.document()),
        Complaint.DUPLICATE_VALUE.id());
  }
}
