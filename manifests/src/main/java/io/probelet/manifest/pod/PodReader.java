package io.probelet.manifest.pod;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.field.Scope;
import io.probelet.document.tree.Node;
import io.probelet.document.tree.Source;
import io.probelet.manifest.annotation.ProbeAnnotation;
import io.probelet.manifest.annotation.TlsFiles;
import io.probelet.manifest.policy.Enforcement;
import io.probelet.manifest.policy.PodRules;
import io.probelet.manifest.policy.ProbeOrigin;
import io.probelet.manifest.probe.DeclaredProbes;
import io.probelet.manifest.probe.ProbeReader;
import io.probelet.probe.ContainerRole;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbedPod;
import io.probelet.probe.RestartPolicy;
import io.probelet.runtime.process.LocalContainer;
import io.probelet.runtime.process.LocalPod;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads one pod. */
final class PodReader {
  private static final long DEFAULT_GRACE_SECONDS = 30;

  private final Path file;
  private final Source source;
  private final Mode mode;
  private final PodRules rules;
  private final boolean advise;
  private final Path directory;

  /**
   * Creates a reader of pods with rules.
   *
   * @param advise whether to give advice on valid pods
   */
  PodReader(Path file, Source source, Mode mode, PodRules rules, boolean advise) {
    this.file = file;
    this.source = source;
    this.mode = mode;
    this.rules = rules;
    this.advise = advise;
    Path parent = file.toAbsolutePath().getParent();
    this.directory = parent == null ? Path.of("/") : parent;
  }

  /** Returns the pod, null if it has errors. */
  @Nullable PodSource read(Fields pod, Node content, int document, Problems problems) {
    int errors = pod.errors();
    PodFrame frame = PodFrame.ofPod(PodMetadata.read(pod.field("metadata")));
    PodSource read = read(frame, pod, content, document, problems);
    return pod.errors() == errors || mode == Mode.IN_CLUSTER ? read : null;
  }

  /** Returns a pod whose metadata has been read; null if it has errors. */
  @Nullable PodSource read(
      PodFrame frame, Fields pod, Node content, int document, Problems problems) {
    int errors = pod.errors();
    PodMetadata metadata = frame.metadata();
    Fields spec = pod.field("spec").objectOrEmpty();
    pod.rejectUnknown(frame.unreadFields());
    if (spec == null) {
      return null;
    }
    RestartPolicy policy =
        RestartReader.policy(spec.field("restartPolicy")).orElse(RestartPolicy.ALWAYS);
    Duration grace = gracePeriod(spec.field("terminationGracePeriodSeconds"));
    SecurityReader security = mode == Mode.STANDALONE_PROCESS ? SecurityReader.of(spec) : null;
    LifecycleReader lifecycle =
        new LifecycleReader(mode, grace, rules.policyOf(metadata.namespace()).hosts());
    UnsupportedFields gaps = mode == Mode.STANDALONE_PROCESS ? UnsupportedFields.of(spec) : null;
    ContainersReader reader =
        new ContainersReader(new ContainerReader(mode, directory, security, lifecycle, gaps));
    List<ReadContainer> init = reader.init(spec.field("initContainers"));
    List<ReadContainer> regular = reader.regular(spec.field("containers"));
    reader.ephemeral(spec.field("ephemeralContainers"));
    ReadinessGates.check(spec.field("readinessGates"));
    List<ReadContainer> all = Stream.concat(init.stream(), regular.stream()).toList();
    PodChoices choices = PodChoices.read(metadata.annotations(), metadata.namespace(), rules);
    Map<String, Map<ProbeKind, ProbeSpec>> probes = probes(metadata, choices, all, problems);
    if (mode != Mode.STANDALONE_PROCESS && metadata.annotations() != null) {
      boolean enforced =
          rules.enforcement(metadata.namespace(), choices.enforcement()) == Enforcement.ENFORCE;
      KubeletAdvice advice =
          new KubeletAdvice(metadata.annotations().keyed(ProbeAnnotation.KEY), policy, enforced);
      advice.give(all, probes);
      // In the cluster the agent reports it by an event of its own; without one nothing reads
      // gates.
      if (mode == Mode.PROBES_ONLY
          && rules.inCluster()
          && !ReadinessGates.hasOurs(spec.field("readinessGates"))) {
        advice.gateMissing(all, probes);
      }
    }
    if (mode != Mode.IN_CLUSTER) { // an API server has checked it there
      problems.addNew(unread(frame, pod, content, document));
    }
    if (metadata.name().isEmpty() || (pod.errors() != errors && mode != Mode.IN_CLUSTER)) {
      return null;
    }
    PodRef ref = new PodRef(metadata.namespace(), metadata.name(), uid(metadata, content));
    List<ContainerSpec> probed =
        all.stream()
            .map(container -> container.spec(probesOf(container, choices, probes)))
            .toList();
    Map<ProbeKind, List<String>> extended = new EnumMap<>(ProbeKind.class);
    for (ProbeKind kind : ProbeKind.values()) {
      extended.put(
          kind,
          probed.stream()
              .map(ContainerSpec::name)
              .filter(name -> probes.getOrDefault(name, Map.of()).containsKey(kind))
              .toList());
    }
    LocalPod local =
        mode == Mode.STANDALONE_PROCESS
            ? new LocalPod(
                ref, policy, grace, local(init, choices, probes), local(regular, choices, probes))
            : null;
    ProbedPod asProbed = new ProbedPod(ref, policy, grace, probed);
    if (advise) {
      AdviceGiver.give(asProbed, spec, mode, problems);
    }
    return new PodSource(
        frame.kind(),
        file,
        document,
        metadata.nameAt(),
        asProbed,
        local,
        extended,
        choices.enforcement());
  }

  /** Checks all fields that Probelet does not use but a cluster validates. */
  private Problems unread(PodFrame frame, Fields pod, Node content, int document) {
    Problems found = new Problems(file, document);
    Scope scope = new Scope(found, Severity.WARNING);
    Fields again = Field.ofDocument(scope, pod.self().path(), content).object();
    if (again != null) {
      PodTypes.check(again);
      Fields metadata = again.field("metadata").objectOrEmpty();
      Fields spec = again.field("spec").objectOrEmpty();
      if (metadata != null && spec != null) {
        PodFieldRules.check(metadata, spec, mode, rules.inCluster(), frame.furtherVolumes());
      }
    }
    return found;
  }

  private static Duration gracePeriod(Field field) {
    long seconds = field.int64(DEFAULT_GRACE_SECONDS);
    return ProbeReader.seconds(seconds < 0 ? 1 : seconds); // the API server's correction
  }

  private Map<String, Map<ProbeKind, ProbeSpec>> probes(
      PodMetadata metadata, PodChoices choices, List<ReadContainer> containers, Problems problems) {
    if (metadata.annotations() == null || !choices.sources().contains(ProbeOrigin.ANNOTATION)) {
      return Map.of();
    }
    Map<String, DeclaredProbes> declared = new LinkedHashMap<>();
    Set<String> unprobed = new HashSet<>();
    for (ReadContainer container : containers) {
      if (container.role() == ContainerRole.INIT) {
        unprobed.add(container.name());
      } else {
        declared.putIfAbsent(container.name(), container.probes());
      }
    }
    TlsFiles files =
        mode == Mode.STANDALONE_PROCESS ? new TlsFiles.Here(directory) : new TlsFiles.OnTheNode();
    return new ProbeAnnotation(
            rules.policyOf(metadata.namespace()),
            rules.longestThrottleHold(),
            files,
            mode == Mode.STANDALONE_PROCESS)
        .read(
            metadata.annotations().keyed(ProbeAnnotation.KEY),
            source,
            problems,
            declared,
            unprobed);
  }

  private String uid(PodMetadata metadata, Node content) {
    return mode != Mode.STANDALONE_PROCESS && !metadata.uid().isEmpty()
        ? metadata.uid()
        : Fingerprint.of(metadata.namespace(), metadata.name(), content);
  }

  private static Map<ProbeKind, ProbeSpec> probesOf(
      ReadContainer container,
      PodChoices choices,
      Map<String, Map<ProbeKind, ProbeSpec>> annotated) {
    Map<ProbeKind, ProbeSpec> probes = new EnumMap<>(ProbeKind.class);
    if (choices.sources().contains(ProbeOrigin.SPEC)) {
      probes.putAll(container.probes().valid());
    }
    probes.putAll(annotated.getOrDefault(container.name(), Map.of()));
    return probes;
  }

  private static List<LocalContainer> local(
      List<ReadContainer> containers,
      PodChoices choices,
      Map<String, Map<ProbeKind, ProbeSpec>> probes) {
    return containers.stream()
        .map(container -> container.local(probesOf(container, choices, probes)))
        .toList();
  }
}
