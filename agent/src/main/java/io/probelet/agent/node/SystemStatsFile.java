package io.probelet.agent.node;

import io.probelet.document.field.Problem;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Source;
import io.probelet.manifest.FileText;
import io.probelet.web.machine.StatisticsChoice;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Files of node-problem-detector that say which statistics of the machine become metrics.
 *
 * @param problems what is wrong with the files
 */
public record SystemStatsFile(StatisticsChoice choice, List<Problem> problems) {
  private static final int MAX_MEBIBYTES = 1;

  public SystemStatsFile {
    problems = List.copyOf(problems);
  }

  /** Reads files; what we do not collect is a warning, and everything else is collected. */
  public static SystemStatsFile read(List<Path> files) {
    SystemStatsReader reader = new SystemStatsReader();
    List<Problem> problems = new ArrayList<>();
    for (Path file : files) {
      switch (FileText.read(file, MAX_MEBIBYTES)) {
        case FileText.Unreadable(Problem problem) -> problems.add(problem);
        case FileText.Text(Source source) -> problems.addAll(read(file, source, reader));
      }
    }
    return new SystemStatsFile(reader.choice(), problems);
  }

  private static List<Problem> read(Path file, Source source, SystemStatsReader reader) {
    List<Document> documents = Document.yaml(source).toList();
    if (documents.size() != 1) {
      String message = "must hold one JSON object; it holds " + documents.size();
      return List.of(Problem.ofFile(file, Severity.ERROR, message));
    }
    Problems problems = new Problems(file, 0);
    for (Document document : documents) {
      document.problems().forEach(each -> problems.error(each.at(), "", each.message()));
      if (document.root() != null) {
        reader.read(file, document.root(), problems);
      }
    }
    return problems.all();
  }
}
