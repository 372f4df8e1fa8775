package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.document.field.Problem;
import io.probelet.document.tree.Source;
import io.probelet.manifest.pod.Mode;
import io.probelet.manifest.pod.PodSource;
import io.probelet.manifest.policy.PodRules;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import java.nio.file.Path;
import java.util.List;

/** What a manifest given as text came to. */
record Reading(List<PodSource> pods, List<Problem> problems) {
  static final Path FILE = Path.of("/manifests/pod.yaml");

  static Reading of(String yaml) {
    return of(yaml, Mode.STANDALONE_PROCESS);
  }

  static Reading of(String yaml, Mode mode) {
    return of(yaml, mode, PodRules.LOCAL);
  }

  static Reading of(String yaml, Mode mode, PodRules rules) {
    FileManifests read = FileManifests.read(FILE, Source.of(yaml), mode, rules);
    Manifests manifests = FileManifests.join(List.of(read), List.of());
    return new Reading(manifests.pods(), manifests.problems());
  }

  /** A pod with one container "web" of which the given lines are part. */
  static Reading ofContainer(String containerLines) {
    return of(pod(containerLines));
  }

  static String pod(String containerLines) {
    return """
    apiVersion: v1
    kind: Pod
    metadata: {name: test}
    spec:
      containers:
      - name: web
        command: [sleep, inf]
        ports: [{name: http, containerPort: 8080}]
    """
        + containerLines.indent(4)
        + "    image: i\n";
  }

  /** The lines users see, without the file's name. */
  List<String> lines() {
    return problems.stream()
        .map(problem -> problem.toString().substring(FILE.toString().length() + 1))
        .toList();
  }

  /** Only field and message, the field without the container's path. */
  List<String> complaints() {
    return problems.stream()
        .map(problem -> problem.field() + ": " + problem.message())
        .map(text -> text.replace("spec.containers[0].", ""))
        .toList();
  }

  PodSource pod() {
    assertThat(problems).isEmpty();
    assertThat(pods).hasSize(1);
    return pods.getFirst();
  }

  ContainerSpec container() {
    return pod().probed().containers().getFirst();
  }

  ProbeSpec probe(ProbeKind kind) {
    return container().probes().get(kind);
  }
}
