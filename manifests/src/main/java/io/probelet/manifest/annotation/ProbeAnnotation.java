package io.probelet.manifest.annotation;

import io.probelet.document.field.Complaint;
import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.field.Scope;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Node.Scalar;
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

/** The annotation {@code probelet.io/probes} of one pod: refines and adds probes, by container. */
public final class ProbeAnnotation {
  /** Its key in {@code metadata.annotations}. */
  public static final String KEY = "probelet.io/probes";

  /** A pod's manifest has rarely more in all its lines. */
  static final int MAX_BYTES = 32 * 1024;

  /** Values of the annotation, those behind an alias counted each time: room for each handler. */
  static final int MAX_VALUES = 4000;

  private final NamespacePolicy policy;
  private final Duration longestThrottleHold;
  private final TlsReader tls;
  private final Totals totals = new Totals();

  /**
   * Creates a reader for one pod.
   *
   * @param policy the most it may ask for
   * @param longestThrottleHold the longest throttleHold that has an effect; zero for none
   */
  public ProbeAnnotation(NamespacePolicy policy, Duration longestThrottleHold, TlsFiles files) {
    this.policy = policy;
    this.longestThrottleHold = longestThrottleHold;
    this.tls = new TlsReader(files, policy.files());
  }

  /**
   * Reads the probes that the annotation refines or adds. One with an error is not among them.
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
          Complaint.TOO_LONG, "Too long: has %d bytes, may have %d".formatted(bytes, MAX_BYTES));
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
        // P-16: it ends, it does not serve
        field.forbidden("an init container without restartPolicy Always has no probes");
      }
    }
    named.rejectUnknown("the pod has no such container", Set.of());
    return refined;
  }

  private Map<ProbeKind, ProbeSpec> refine(Fields probes, DeclaredProbes declared) {
    Map<ProbeKind, ProbeSpec> refined = new EnumMap<>(ProbeKind.class);
    AnnotatedProbeReader reader =
        new AnnotatedProbeReader(declared, policy, longestThrottleHold, tls, totals);
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
