package io.probelet.cli.advise;

import io.probelet.document.field.Problem;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Node;
import io.probelet.document.tree.Node.Mapping;
import io.probelet.document.tree.Node.Scalar;
import io.probelet.document.tree.Node.Sequence;
import io.probelet.document.tree.Position;
import io.probelet.fleet.advise.AdviceReport;
import io.probelet.fleet.advise.AdviceSubject;
import io.probelet.fleet.advise.Proposal;
import io.probelet.fleet.advise.WorkloadAdvice;
import io.probelet.manifest.FileText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the lines of manifests that proposals are about. A manifest without a namespace matches
 * any: kubectl takes it from elsewhere.
 */
public final class ManifestMarks {
  private static final int MAX_MEBIBYTES = 16;

  private final Path file;
  private final AdviceReport report;
  private final List<Problem> marks = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();
  private int found;

  private ManifestMarks(Path file, AdviceReport report) {
    this.file = file;
    this.report = report;
  }

  /**
   * What a file came to.
   *
   * @param problems the proposals as advice at their lines, and errors of the file
   * @param workloads how many containers of it advice was given on, with or without proposals
   * @param notes what could not be judged of them, and why
   */
  public record Marked(List<Problem> problems, int workloads, List<String> notes) {
    /** Keeps unmodifiable copies. */
    public Marked {
      problems = List.copyOf(problems);
      notes = List.copyOf(notes);
    }

    /** {@return whether the file could be read} */
    public boolean isReadable() {
      return problems.stream().noneMatch(Problem::isError);
    }
  }

  /** {@return the proposals that are about a file} */
  public static Marked of(Path file, AdviceReport report) {
    return switch (FileText.read(file, MAX_MEBIBYTES)) {
      case FileText.Unreadable(Problem problem) -> new Marked(List.of(problem), 0, List.of());
      case FileText.Text(var source) -> {
        ManifestMarks marks = new ManifestMarks(file, report);
        Document.yaml(source).forEach(marks::read);
        yield new Marked(marks.marks, marks.found, marks.notes);
      }
    };
  }

  private void read(Document document) {
    document
        .problems()
        .forEach(problem ->
            marks.add(
                new Problem(
                    file.toString(),
                    document.number(),
                    problem.at(),
                    Severity.ERROR,
                    "",
                    problem.message())));
    if (document.root() instanceof Mapping root) {
      object(document.number(), root);
    }
  }

  private void object(int document, Mapping object) {
    if (object.value("items") instanceof Sequence(_, List<Node> items)) {
      for (Node item : items) {
        if (item instanceof Mapping mapping) {
          workload(document, mapping);
        }
      }
    } else {
      workload(document, object);
    }
  }

  private void workload(int document, Mapping workload) {
    boolean pod = text(workload.value("kind")).equals("Pod");
    String path = pod ? "spec" : "spec.template.spec";
    Node spec = workload.value("spec");
    if (!pod) {
      spec = at(at(spec, "template"), "spec");
    }
    for (String list : List.of("containers", "initContainers")) {
      if (at(spec, list) instanceof Sequence(_, List<Node> containers)) {
        for (int i = 0; i < containers.size(); i++) {
          if (containers.get(i) instanceof Mapping container) {
            container(document, workload, container, "%s.%s[%d]".formatted(path, list, i));
          }
        }
      }
    }
  }

  private void container(int document, Mapping workload, Mapping container, String path) {
    for (WorkloadAdvice advice : report.containers()) {
      if (matches(advice.subject(), workload, container)) {
        found++;
        advice.notes().forEach(note -> notes.add(advice.subject() + ": " + note));
        for (Proposal proposal : advice.proposals()) {
          mark(document, container, path, proposal);
        }
      }
    }
  }

  private static boolean matches(AdviceSubject subject, Mapping workload, Mapping container) {
    Node metadata = workload.value("metadata");
    String namespace = text(at(metadata, "namespace"));
    return text(workload.value("kind")).equals(subject.kind())
        && text(at(metadata, "name")).equals(subject.name())
        && (namespace.isEmpty() || namespace.equals(subject.namespace()))
        && text(container.value("name")).equals(subject.container());
  }

  /** At the setting's value; where it has the default, at the probe; else at the container. */
  private void mark(int document, Mapping container, String path, Proposal proposal) {
    Node probe = container.value(proposal.probe());
    Node value = at(probe, proposal.field());
    Position at = (value != null ? value : probe != null ? probe : container).at();
    String field =
        path + "." + proposal.probe() + (proposal.field().isEmpty() ? "" : "." + proposal.field());
    marks.add(
        new Problem(
            file.toString(),
            document,
            at,
            Severity.ADVICE,
            field,
            "%s instead of %s: %s; effect: %s"
                .formatted(
                    proposal.proposed(), proposal.today(), proposal.reason(), proposal.effect()),
            proposal.rule()));
  }

  private static @Nullable Node at(@Nullable Node node, String name) {
    return node instanceof Mapping mapping ? mapping.value(name) : null;
  }

  private static String text(@Nullable Node node) {
    return node instanceof Scalar scalar ? scalar.text() : "";
  }
}
