package io.probelet.manifest.annotation;

import io.probelet.document.field.Complaint;
import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.field.Scope;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Node.Mapping;
import io.probelet.document.tree.Node.Scalar;
import io.probelet.document.tree.Position;
import io.probelet.document.tree.ScalarType;
import io.probelet.document.tree.Source;
import io.probelet.document.tree.SyntaxProblem;
import io.probelet.manifest.policy.NamespacePolicy;
import io.probelet.manifest.probe.DeclaredProbes;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * The annotation {@code probelet.io/probes} of one pod, which changes and adds probes by container.
 */
public final class ProbeAnnotation {
  /** Its key in {@code metadata.annotations}. */
  public static final String KEY = "probelet.io/probes";

  /** A pod's whole manifest is rarely larger. */
  static final int MAX_BYTES = 32 * 1024;

  /**
   * Maximum number of values, where a value behind an alias counts each time: enough for all
   * handlers.
   */
  static final int MAX_VALUES = 4000;

  private final NamespacePolicy policy;
  private final Duration longestThrottleHold;
  private final TlsReader tls;
  private final boolean startsContainers;
  private final Totals totals = new Totals();

  /**
   * Creates a reader for one pod.
   *
   * @param policy the most it may ask for
   * @param longestThrottleHold the longest throttleHold that has an effect; zero for none
   * @param startsContainers whether this program starts the pod's containers, and not a kubelet
   */
  public ProbeAnnotation(
      NamespacePolicy policy,
      Duration longestThrottleHold,
      TlsFiles files,
      boolean startsContainers) {
    this.policy = policy;
    this.longestThrottleHold = longestThrottleHold;
    this.startsContainers = startsContainers;
    this.tls = new TlsReader(files, policy.files());
  }

  /**
   * Reads the probes that the annotation changes or adds, without those that have errors.
   *
   * @param source the manifest, for lines within the annotation's text
   * @param containers the containers that may be probed, by name
   * @param unprobed the containers that may not
   */
  public Map<String, Map<ProbeKind, ProbeSpec>> read(
      Field annotation,
      Source source,
      Problems problems,
      Map<String, DeclaredProbes> containers,
      Set<String> unprobed) {
    if (annotation.text() == null || !(annotation.value() instanceof Scalar text)) {
      return Map.of();
    }
    int bytes = text.text().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_BYTES) {
      annotation.error(
          Complaint.TOO_LONG,
          "Too long: has %d bytes, at most %d are allowed".formatted(bytes, MAX_BYTES));
      return Map.of();
    }
    Document document = Document.embedded(text, source, MAX_VALUES);
    for (SyntaxProblem problem : document.problems()) {
      problems.error(problem.at(), annotation.path(), problem.message());
    }
    if (document.root() == null) {
      return Map.of();
    }
    Scope scope = new Scope(problems, Severity.ERROR);
    Fields named = Field.ofDocument(scope, annotation.path(), document.root()).object();
    return named == null ? Map.of() : read(named, containers, unprobed);
  }

  /**
   * {@return whether a text of the annotation has readiness for any container} What is wrong with
   * it is for others to say; one that is too large or no annotation has none.
   *
   * @param text the annotation's value
   */
  public static boolean hasReadiness(String text) {
    if (text.length() > MAX_BYTES) {
      return false;
    }
    Document document =
        Document.embedded(
            new Scalar(Position.START, ScalarType.STRING, text), Source.of(text), MAX_VALUES);
    return document.problems().isEmpty()
        && document.root() instanceof Mapping containers
        && containers.entries().values().stream()
            .anyMatch(each ->
                each.value() instanceof Mapping probes
                    && probes.value(fieldName(ProbeKind.READINESS)) instanceof Mapping);
  }

  private Map<String, Map<ProbeKind, ProbeSpec>> read(
      Fields named, Map<String, DeclaredProbes> containers, Set<String> unprobed) {
    Map<String, Map<ProbeKind, ProbeSpec>> refined = new HashMap<>();
    containers.forEach((name, declared) -> {
      Fields probes = named.field(name).object();
      if (probes != null) {
        refined.put(name, refine(probes, declared));
      }
    });
    for (String name : unprobed) {
      Field field = named.field(name);
      if (field.isPresent()) {
        // P-16: an init container ends and does not serve
        field.forbidden("an init container needs restartPolicy Always to have probes");
      }
    }
    named.rejectUnknown("the pod has no container of this name", Set.of());
    return refined;
  }

  private Map<ProbeKind, ProbeSpec> refine(Fields probes, DeclaredProbes declared) {
    Map<ProbeKind, ProbeSpec> refined = new EnumMap<>(ProbeKind.class);
    AnnotatedProbeReader reader =
        new AnnotatedProbeReader(
            declared, policy, longestThrottleHold, tls, startsContainers, totals);
    for (ProbeKind kind : ProbeKind.values()) {
      Fields probe = probes.field(fieldName(kind)).object();
      ProbeSpec spec = probe == null ? null : reader.read(probe, kind);
      if (spec != null) {
        refined.put(kind, spec);
      }
    }
    probes.rejectUnknown(Set.of());
    return refined;
  }

  private static String fieldName(ProbeKind kind) {
    return switch (kind) {
      case STARTUP -> "startup";
      case READINESS -> "readiness";
      case LIVENESS -> "liveness";
    };
  }
}
