package io.probelet.agent.once;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Node;
import io.probelet.document.tree.Source;
import io.probelet.document.tree.SyntaxProblem;
import io.probelet.manifest.ManifestReader;
import io.probelet.manifest.Manifests;
import io.probelet.manifest.pod.Mode;
import io.probelet.manifest.pod.Purpose;
import io.probelet.manifest.policy.PodRules;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbeTarget;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Reads a probe as the annotation {@code probelet.io/probes} writes it, on the command line. */
final class SpecProbe {
  private static final int MAX_BYTES = 64 * 1024;
  private static final String CONTAINER = "probe";

  private SpecProbe() {}

  /**
   * Reads a probe.
   *
   * @param text the probe, in YAML or JSON
   * @param podIp the address to use as the pod's
   * @throws IllegalArgumentException saying what is wrong with it
   */
  static SingleProbe read(String text, String podIp) {
    Document.yaml(Source.of(text))
        .filter(SpecProbe::isNoObject)
        .findFirst()
        .ifPresent(wrong -> {
          throw new IllegalArgumentException(
              "--spec: "
                  + wrong.problems().stream()
                      .map(SyntaxProblem::message)
                      .findFirst()
                      .orElse("must be an object; write for example 'tcpSocket: {port: 8080}'"));
        });
    Manifests manifests =
        ManifestReader.read(
            List.of(ManifestReader.PIPE),
            Purpose.of(Mode.PROBES_ONLY, PodRules.LOCAL),
            new ByteArrayInputStream(pod(text).getBytes(StandardCharsets.UTF_8)));
    if (manifests.hasErrors() || manifests.pods().isEmpty()) {
      throw new IllegalArgumentException(
          "--spec: "
              + manifests.problems().stream()
                  .map(problem -> problem.message())
                  .collect(Collectors.joining("\n--spec: ")));
    }
    ContainerSpec container = manifests.pods().getFirst().probed().containers().getFirst();
    ProbeSpec probe = container.probes().get(ProbeKind.READINESS);
    if (probe == null) {
      throw new IllegalArgumentException(
          "--spec: it has no handler; write for example 'tcpSocket: {port: 8080}'");
    }
    return new SingleProbe(
        probe.handler().fieldName() + " probe of " + podIp,
        probe.handler(),
        new ProbeTarget(manifests.pods().getFirst().ref(), container, container.name(), podIp),
        probe.timeout());
  }

  /**
   * Reads the text of a file.
   *
   * @throws IllegalArgumentException if it cannot be read, or is too long for a probe
   */
  static String text(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new IllegalArgumentException(file + " is larger than " + MAX_BYTES + " bytes");
      }
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new IllegalArgumentException("cannot read " + file, unreadable);
    }
  }

  /** The text of another file may be a secret, and an error about a field would quote it. */
  private static boolean isNoObject(Document document) {
    return !(document.root() instanceof Node.Mapping);
  }

  /** A pod whose only container has this probe. */
  private static String pod(String text) {
    ObjectNode pod = JsonNodeFactory.instance.objectNode();
    pod.put("apiVersion", "v1").put("kind", "Pod");
    pod.putObject("metadata")
        .put("name", CONTAINER)
        .putObject("annotations")
        .put("probelet.io/probes", CONTAINER + ":\n readiness:\n  " + text.replace("\n", "\n  "));
    pod.putObject("spec")
        .putArray("containers")
        .addObject()
        .put("name", CONTAINER)
        .put("image", CONTAINER);
    return pod.toString();
  }
}
