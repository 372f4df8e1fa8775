package io.probelet.manifest.pod;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.field.Scope;
import io.probelet.document.tree.Node;
import io.probelet.document.tree.Source;
import io.probelet.manifest.policy.Enforcement;
import io.probelet.manifest.policy.PodRules;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbedPod;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads what is probed of a pod as an API server has it. */
public final class ApiPodReader {
  private static final Path NO_FILE = Path.of("pod");
  private static final Source NO_LINES = Source.of("");

  private ApiPodReader() {}

  /**
   * What a pod came to.
   *
   * @param pod what is probed of it
   * @param extended by kind of probe, the containers that have it by annotation
   * @param enforcement what the pod says of itself being restarted; null when it says nothing
   */
  public record Reading(
      ProbedPod pod, Map<ProbeKind, List<String>> extended, @Nullable Enforcement enforcement) {
    /** Keeps an unmodifiable copy of the map. */
    public Reading {
      extended = Map.copyOf(extended);
    }
  }

  /**
   * Reads one pod, which the API server has found valid: what is wrong here is the annotation, or
   * newer than this program.
   *
   * @param pod the object
   * @param rules what holds for pods
   * @param problems what was left out of the result, and why
   * @return the pod; null if it is none
   */
  public static @Nullable Reading read(Node pod, PodRules rules, Problems problems) {
    Fields fields = Field.ofDocument(new Scope(problems, Severity.WARNING), "", pod).object();
    if (fields == null) {
      return null;
    }
    PodSource read =
        new PodReader(NO_FILE, NO_LINES, Mode.IN_CLUSTER, rules, false)
            .read(fields, pod, 1, problems);
    return read == null ? null : new Reading(read.probed(), read.extended(), read.enforcement());
  }

  /** {@return a place for what is wrong with one pod} */
  public static Problems problems() {
    return Problems.ofObject("pod");
  }
}
