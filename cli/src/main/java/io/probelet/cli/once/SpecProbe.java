package io.probelet.cli.once;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.document.field.Problem;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Node;
import io.probelet.document.tree.Position;
import io.probelet.document.tree.Source;
import io.probelet.health.FailureReason;
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
  private static final String KEY = "probelet.io/probes";

  /** What {@link #pod} writes before the text, and before each of its lines. */
  private static final int LINES_BEFORE = 2;

  private static final int INDENTATION = 2;
  private static final String FIELD =
      "metadata.annotations[" + KEY + "]." + CONTAINER + ".readiness";

  private SpecProbe() {}

  /**
   * Reads a probe.
   *
   * @param text the probe, in YAML or JSON
   * @param origin where the text is from: an option or a file
   * @throws IllegalArgumentException with each error and its position
   */
  static SingleProbe read(String text, String origin, String podIp) {
    Document.yaml(Source.of(text))
        .filter(SpecProbe::isNoObject)
        .findFirst()
        .ifPresent(wrong -> {
          throw new IllegalArgumentException(
              wrong.problems().stream()
                  .map(problem -> origin + ":" + problem.at() + ": " + problem.message())
                  .findFirst()
                  .orElse(
                      origin + ": must be an object; write for example 'tcpSocket: {port: 8080}'"));
        });
    Manifests manifests =
        ManifestReader.read(
            List.of(ManifestReader.PIPE),
            Purpose.of(Mode.PROBES_ONLY, PodRules.LOCAL),
            new ByteArrayInputStream(pod(text).getBytes(StandardCharsets.UTF_8)));
    if (manifests.hasErrors() || manifests.pods().isEmpty()) {
      throw new IllegalArgumentException(
          manifests.problems().stream()
              .map(problem -> text(problem, origin))
              .collect(Collectors.joining("\n")));
    }
    ContainerSpec container = manifests.pods().getFirst().probed().containers().getFirst();
    ProbeSpec probe = container.probes().get(ProbeKind.READINESS);
    if (probe == null) {
      throw new IllegalArgumentException(
          origin + ": the handler is missing; write for example 'tcpSocket: {port: 8080}'");
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
   * @throws IllegalArgumentException if it cannot be read or is too large
   */
  static String text(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new IllegalArgumentException(file + " is larger than " + MAX_BYTES + " bytes");
      }
      return new String(bytes, StandardCharsets.UTF_8);
    } catch (IOException unreadable) {
      throw new IllegalArgumentException(
          "cannot read " + file + ": " + FailureReason.of(unreadable), unreadable);
    }
  }

  /** A wrong file may hold secrets, which an error about a field would quote. */
  private static boolean isNoObject(Document document) {
    return !(document.root() instanceof Node.Mapping);
  }

  /** The problem with its position in the text, not in the annotation around it. */
  private static String text(Problem problem, String origin) {
    Position at = problem.at() == null ? null : problem.at().inText();
    String place =
        at == null
            ? ""
            : new Position(
                    Math.max(1, at.line() - LINES_BEFORE), Math.max(1, at.column() - INDENTATION))
                + ":";
    String field = withoutPod(problem.field());
    return origin + ":" + place + " " + (field.isEmpty() ? "" : field + ": ") + problem.message();
  }

  private static String withoutPod(String field) {
    return field.startsWith(FIELD)
        ? field.substring(Math.min(field.length(), FIELD.length() + 1))
        : field;
  }

  /** A pod whose only container has this probe. */
  private static String pod(String text) {
    ObjectNode pod = JsonNodeFactory.instance.objectNode();
    pod.put("apiVersion", "v1").put("kind", "Pod");
    pod.putObject("metadata")
        .put("name", CONTAINER)
        .putObject("annotations")
        .put(KEY, CONTAINER + ":\n readiness:\n  " + text.replace("\n", "\n  "));
    pod.putObject("spec")
        .putArray("containers")
        .addObject()
        .put("name", CONTAINER)
        .put("image", CONTAINER);
    return pod.toString();
  }
}
