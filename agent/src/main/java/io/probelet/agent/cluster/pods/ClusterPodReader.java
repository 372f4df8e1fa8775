package io.probelet.agent.cluster.pods;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.field.Scope;
import io.probelet.document.tree.Node.Mapping;
import io.probelet.health.ShortText;
import io.probelet.kube.workload.Workload;
import io.probelet.manifest.annotation.ProbeAnnotation;
import io.probelet.manifest.pod.ApiPodReader;
import io.probelet.manifest.pod.PodSource;
import io.probelet.manifest.policy.PodRules;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbedPod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads pods as the API server sends them. */
final class ClusterPodReader {
  /** On the API server's image of a static pod: the uid that kubelet and runtime know it by. */
  static final String MIRROR_POD_UID = "kubernetes.io/config.mirror";

  /** The kubelet's hash, a UUID, or what the author of a static pod chose. */
  private static final Pattern UID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,127}");

  /** Problems of one pod that are reported; the rest is counted. */
  private static final int MAX_PROBLEMS = 10;

  private static final int MAX_PROBLEM_CHARS = 200;

  private final PodRules rules;

  /** Creates a reader of pods for which rules hold. */
  ClusterPodReader(PodRules rules) {
    this.rules = rules;
  }

  /** Returns the pod; empty if it is none. */
  Optional<ClusterPod> read(Mapping pod) {
    Problems problems = ApiPodReader.problems();
    Fields fields = Field.ofDocument(new Scope(problems, Severity.WARNING), "", pod).object();
    Fields metadata = fields == null ? null : fields.field("metadata").object();
    if (fields == null || metadata == null) {
      return Optional.empty();
    }
    String uid = metadata.field("uid").text("");
    Fields annotations = metadata.field("annotations").objectOrEmpty();
    String staticUid = annotations == null ? "" : staticUid(annotations);
    PodSource source = ApiPodReader.read(pod, rules, problems);
    if (source == null || uid.isEmpty()) {
      return Optional.empty();
    }
    ProbedPod read = source.probed();
    PodRef ref =
        new PodRef(
            read.ref().namespace(), read.ref().name(), staticUid.isEmpty() ? uid : staticUid);
    ProbedPod stopped = trimmed(ref, read);
    Optional<String> tooLong = HookSize.complaint(stopped);
    ProbedPod trimmed = tooLong.isEmpty() ? stopped : HookSize.without(stopped);
    Optional<String> tooLarge = SpecSize.complaint(pod, trimmed);
    GateState gate = gate(fields, source.extended());
    Set<String> startups = Set.copyOf(source.extended().getOrDefault(ProbeKind.STARTUP, List.of()));
    List<String> texts = new ArrayList<>(texts(problems));
    tooLong.ifPresent(complaint -> texts.addFirst(complaint));
    tooLarge.ifPresent(complaint -> texts.addFirst(complaint));
    return Optional.of(
        new ClusterPod(
            uid,
            tooLarge.isEmpty() ? trimmed : unprobed(trimmed),
            new PodStatusReader(startups, gate).read(ref, fields, metadata),
            source.enforcement(),
            gate,
            PodRevision.of(pod),
            texts,
            warnings(problems),
            owner(read.ref().namespace(), metadata)));
  }

  private static ProbedPod unprobed(ProbedPod pod) {
    return new ProbedPod(pod.ref(), pod.restartPolicy(), pod.terminationGracePeriod(), List.of());
  }

  /**
   * Anybody may write this annotation on a pod of their own, and name whom they like: it makes a
   * pod known by that uid together with its own namespace and name only.
   */
  private static String staticUid(Fields annotations) {
    Field annotation = annotations.keyed(MIRROR_POD_UID);
    String uid = annotation.text("");
    if (uid.isEmpty() || UID.matcher(uid).matches()) {
      return uid;
    }
    annotation.error("must be a uid of at most 128 letters, digits, '-', '_' and '.'");
    return "";
  }

  private static GateState gate(Fields pod, Map<ProbeKind, List<String>> extended) {
    Fields spec = pod.field("spec").objectOrEmpty();
    boolean declared = false;
    for (Field item : spec == null ? List.<Field>of() : spec.field("readinessGates").items()) {
      Fields gate = item.object();
      declared |= gate != null && gate.field("conditionType").text("").equals(GateState.CONDITION);
    }
    if (!declared) {
      return new GateState(false, null, extended.getOrDefault(ProbeKind.READINESS, List.of()));
    }
    Fields status = pod.field("status").objectOrEmpty();
    Boolean is = null;
    for (Field item : status == null ? List.<Field>of() : status.field("conditions").items()) {
      Fields condition = item.object();
      if (condition != null && condition.field("type").text("").equals(GateState.CONDITION)) {
        is = condition.field("status").text("").equals("True");
      }
    }
    return new GateState(
        true,
        is,
        Stream.of(ProbeKind.READINESS, ProbeKind.STARTUP)
            .flatMap(kind -> extended.getOrDefault(kind, List.of()).stream())
            .distinct()
            .toList());
  }

  /**
   * Variables are for the commands of exec probes only, hooks for containers that probes may stop,
   * and there are many pods.
   */
  private static ProbedPod trimmed(PodRef ref, ProbedPod pod) {
    List<ContainerSpec> containers = new ArrayList<>();
    for (ContainerSpec container : pod.containers()) {
      boolean expands = container.probes().toString().contains("$(");
      containers.add(
          new ContainerSpec(
              container.name(),
              container.role(),
              container.restartPolicy(),
              container.restartRules(),
              container.probes().isEmpty() ? Map.of() : container.ports(),
              expands ? container.env() : Map.of(),
              container.probes(),
              mayBeStopped(container) ? container.preStop() : null));
    }
    return new ProbedPod(ref, pod.restartPolicy(), pod.terminationGracePeriod(), containers);
  }

  private static boolean mayBeStopped(ContainerSpec container) {
    return container.probes().keySet().stream().anyMatch(ProbeKind::restartsContainer);
  }

  /** Everything here goes into a log and an event, and the pod's author chooses how much it is. */
  private static List<String> texts(Problems problems) {
    List<String> texts = new ArrayList<>();
    problems.all().stream()
        .filter(Problem::isError)
        .limit(MAX_PROBLEMS)
        .map(problem -> cut(problem.field() + ": " + problem.message()))
        .forEach(texts::add);
    if (problems.errors() > texts.size()) {
      texts.add("and " + (problems.errors() - texts.size()) + " more");
    }
    return texts;
  }

  /** Of the annotation only: what else is strange in a pod is the API server's business. */
  private static List<String> warnings(Problems problems) {
    String annotation = "metadata.annotations[" + ProbeAnnotation.KEY + "]";
    return problems.all().stream()
        .filter(problem -> !problem.isError() && problem.field().equals(annotation))
        .limit(MAX_PROBLEMS)
        .map(problem -> cut(problem.message()))
        .toList();
  }

  private static PodOwner owner(String namespace, Fields metadata) {
    for (Field item : metadata.field("ownerReferences").items()) {
      Fields reference = item.object();
      String uid = reference == null ? "" : reference.field("uid").text("");
      if (reference != null
          && reference.field("controller").bool(false)
          && UID.matcher(uid).matches()) {
        return new PodOwner(
            uid,
            Workload.of(
                namespace,
                reference.field("apiVersion").text(""),
                reference.field("kind").text(""),
                reference.field("name").text(""),
                uid));
      }
    }
    return PodOwner.NONE;
  }

  private static String cut(String text) {
    return ShortText.of(text, MAX_PROBLEM_CHARS);
  }
}
