package io.probelet.manifest.pod;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.field.Scope;
import io.probelet.document.tree.Node;
import io.probelet.document.tree.Source;
import io.probelet.manifest.policy.PodRules;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reads the probes of a pod from an API server. */
public final class ApiPodReader {
  private static final Path NO_FILE = Path.of("pod");
  private static final Source NO_LINES = Source.of("");

  private ApiPodReader() {}

  /**
   * Reads one pod that the API server has validated. Only its annotation, or a field newer than
   * this program, can be invalid here.
   *
   * @return the pod, without a file; null if it is not a pod
   */
  public static @Nullable PodSource read(Node pod, PodRules rules, Problems problems) {
    Fields fields = Field.ofDocument(new Scope(problems, Severity.WARNING), "", pod).object();
    if (fields == null) {
      return null;
    }
    return new PodReader(NO_FILE, NO_LINES, Mode.IN_CLUSTER, rules, false)
        .read(fields, pod, 1, problems);
  }

  /** {@return a list for the problems of one pod} */
  public static Problems problems() {
    return Problems.ofObject("pod");
  }
}
