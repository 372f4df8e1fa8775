package io.probelet.cli.once;

import io.probelet.manifest.ManifestReader;
import io.probelet.manifest.Manifests;
import io.probelet.manifest.pod.Mode;
import io.probelet.manifest.pod.PodSource;
import io.probelet.probe.ContainerRole;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbeTarget;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds a probe in a manifest. */
final class ManifestProbe {
  private ManifestProbe() {}

  /**
   * Finds the probe of a container.
   *
   * @param kind null when the container has only one probe
   * @throws IllegalArgumentException naming what is missing and what there is
   */
  static SingleProbe find(Path file, String container, @Nullable ProbeKind kind, String podIp) {
    Manifests manifests = ManifestReader.read(List.of(file), Mode.PROBES_ONLY);
    if (manifests.hasErrors()) {
      throw new IllegalArgumentException(
          manifests.problems().stream().map(Object::toString).collect(Collectors.joining("\n")));
    }
    for (PodSource pod : manifests.pods()) {
      Optional<ContainerSpec> named =
          probed(pod).filter(spec -> spec.name().equals(container)).findFirst();
      if (named.isPresent()) {
        return probe(file, pod, named.get(), kind, podIp);
      }
    }
    throw new IllegalArgumentException(
        "%s has no container \"%s\"; it has %s"
            .formatted(
                file,
                container,
                manifests.pods().stream()
                    .flatMap(ManifestProbe::probed)
                    .map(ContainerSpec::name)
                    .collect(Collectors.joining(", "))));
  }

  /** Init containers have no probes, except sidecars. */
  private static Stream<ContainerSpec> probed(PodSource pod) {
    return pod.probed().containers().stream().filter(spec -> spec.role() != ContainerRole.INIT);
  }

  private static SingleProbe probe(
      Path file, PodSource pod, ContainerSpec spec, @Nullable ProbeKind kind, String podIp) {
    List<ProbeKind> kinds = spec.probes().keySet().stream().sorted().toList();
    ProbeKind chosen = kind != null ? kind : kinds.size() == 1 ? kinds.getFirst() : null;
    ProbeSpec probe = chosen == null ? null : spec.probes().get(chosen);
    if (probe == null) {
      throw new IllegalArgumentException(
          "container \"%s\" in %s has %s; %s"
              .formatted(
                  spec.name(),
                  file,
                  kinds.isEmpty() ? "no probe" : "several probes: " + words(kinds),
                  kinds.isEmpty() ? "add one to the manifest" : "choose one with --kind"));
    }
    return new SingleProbe(
        "%s %s probe (%s)"
            .formatted(pod.ref() + "/" + spec.name(), word(chosen), probe.handler().fieldName()),
        probe.handler(),
        new ProbeTarget(pod.ref(), spec, spec.name(), podIp),
        probe.timeout());
  }

  private static String words(List<ProbeKind> kinds) {
    return kinds.stream().map(ManifestProbe::word).collect(Collectors.joining(", "));
  }

  private static String word(@Nullable ProbeKind kind) {
    return kind == null ? "" : kind.label().toLowerCase(Locale.ROOT);
  }
}
