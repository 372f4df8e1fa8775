package io.probelet.manifest;

import io.probelet.document.field.Problem;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Source;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.rule.MonitorReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of reading a set of monitor files.
 *
 * @param monitors the valid monitors, in the order of files and documents
 * @param problems all problems of the files
 */
public record Monitors(List<Monitor> monitors, List<Problem> problems) {
  /** No monitors and no problems. */
  static final Monitors NONE = new Monitors(List.of(), List.of());

  private static final int MAX_MEBIBYTES = 1;

  /** Keeps unmodifiable copies of the lists. */
  public Monitors {
    monitors = List.copyOf(monitors);
    problems = List.copyOf(problems);
  }

  /**
   * Reads monitor files, JSON or YAML.
   *
   * @param paths files, and directories with {@code *.json}, {@code *.yaml} and {@code *.yml} files
   * @return all valid monitors and all problems; never throws because of their content
   */
  public static Monitors read(List<Path> paths) {
    FoundFiles found = FoundFiles.in(paths);
    List<Monitor> monitors = new ArrayList<>();
    List<Problem> problems = new ArrayList<>(found.problems());
    for (Path file : found.files()) {
      Monitors read = readFile(file);
      monitors.addAll(read.monitors());
      problems.addAll(read.problems());
    }
    return new Monitors(monitors, problems);
  }

  /** Reads one file. */
  static Monitors readFile(Path file) {
    List<Monitor> monitors = new ArrayList<>();
    List<Problem> problems = new ArrayList<>();
    switch (FileText.read(file, MAX_MEBIBYTES)) {
      case FileText.Text(Source source) -> read(file, source, monitors, problems);
      case FileText.Unreadable(Problem problem) -> problems.add(problem);
    }
    return new Monitors(monitors, problems);
  }

  private static void read(
      Path file, Source source, List<Monitor> monitors, List<Problem> problems) {
    List<Document> documents = Document.yaml(source).toList();
    if (documents.isEmpty()) {
      problems.add(Problem.ofFile(file, Severity.ERROR, "is empty; a monitor was expected"));
    }
    for (Document document : documents) {
      Problems found = new Problems(file, document.number());
      document.problems().forEach(problem -> found.error(problem.at(), "", problem.message()));
      if (document.root() != null && document.problems().isEmpty()) {
        MonitorReader.read(document.root(), found).ifPresent(monitors::add);
      }
      problems.addAll(found.all());
    }
  }

  /** {@return whether any problem is an error and not only a warning} */
  public boolean hasErrors() {
    return problems.stream().anyMatch(Problem::isError);
  }
}
