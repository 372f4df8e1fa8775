package io.probelet.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.marcnuri.helm.Helm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.yaml.snakeyaml.Yaml;

/** Our chart, rendered by Helm itself. */
final class HelmChart {
  static final Path DIRECTORY = DeployManifests.DEPLOY.resolve(Path.of("helm", "probelet"));

  /** Which gives things the names that they have in deploy/. */
  static final String RELEASE = "probelet";

  static final String NAMESPACE = "probelet-system";

  private static final String KUBERNETES = "v1.30.0";

  /** Those that have the label in deploy/, too. */
  private static final List<String> NAMED = List.of("DaemonSet", "Deployment", "PodMonitor");

  private static final List<String> OF_THE_CHART =
      List.of(
          "app.kubernetes.io/instance",
          "app.kubernetes.io/version",
          "app.kubernetes.io/component",
          "app.kubernetes.io/part-of",
          "app.kubernetes.io/managed-by",
          "helm.sh/chart");

  private HelmChart() {}

  /** {@return what values.yaml says, to be changed} */
  static Map<String, Object> values() throws IOException {
    return new Yaml().load(Files.readString(DIRECTORY.resolve("values.yaml")));
  }

  /** {@return what a release makes in a cluster with admission policies} */
  static List<JsonNode> rendered(String release, String namespace, Map<String, Object> values)
      throws IOException {
    return rendered(release, namespace, values, KUBERNETES);
  }

  /**
   * {@return what a release makes, as {@code helm template} prints it}
   *
   * @throws IllegalStateException if Helm refuses the values; the message is Helm's
   */
  static List<JsonNode> rendered(
      String release, String namespace, Map<String, Object> values, String kubernetes)
      throws IOException {
    Path file = Files.createTempFile("values", ".yaml");
    try {
      Files.writeString(file, new Yaml().dump(values));
      String text =
          new Helm(DIRECTORY)
              .template()
              .withName(release)
              .withNamespace(namespace)
              .withKubeVersion(kubernetes)
              .withValuesFile(file)
              .call();
      return DeployManifests.of(text);
    } finally {
      Files.delete(file);
    }
  }

  /** {@return the same as in deploy/: what the chart adds to every object is taken away} */
  static List<JsonNode> plain(Collection<JsonNode> rendered) {
    return rendered.stream().map(HelmChart::plain).toList();
  }

  private static JsonNode plain(JsonNode rendered) {
    ObjectNode object = rendered.deepCopy();
    ObjectNode metadata = object.withObject("metadata");
    unlabelled(metadata, NAMED.contains(object.path("kind").asText()));
    if (metadata.path("annotations") instanceof ObjectNode annotations) {
      annotations.remove("helm.sh/resource-policy");
      dropEmpty(metadata, "annotations");
    }
    if (object.at("/spec/template/metadata") instanceof ObjectNode template) {
      unlabelled(template, true);
    }
    return object;
  }

  private static void unlabelled(ObjectNode metadata, boolean named) {
    if (metadata.path("labels") instanceof ObjectNode labels) {
      labels.remove(OF_THE_CHART);
      if (!named) {
        labels.remove("app.kubernetes.io/name");
      }
      dropEmpty(metadata, "labels");
    }
  }

  private static void dropEmpty(ObjectNode metadata, String field) {
    if (metadata.path(field).isEmpty()) {
      metadata.remove(field);
    }
  }

  /** {@return what a release with the names of deploy/ makes with these values, as YAML} */
  static List<JsonNode> rendered(String changes) throws IOException {
    Map<String, Object> values = values();
    Map<String, Object> changed = new Yaml().load(changes);
    values.putAll(changed);
    return rendered(RELEASE, NAMESPACE, values);
  }

  /** {@return its kind, namespace and name} */
  static String identity(JsonNode object) {
    JsonNode namespace = object.at("/metadata/namespace");
    return object.path("kind").asText()
        + " "
        + (namespace.isTextual() ? namespace.asText() + "/" : "")
        + object.at("/metadata/name").asText();
  }

  /** {@return all of them, each of which is there once} */
  static Set<String> identities(List<JsonNode> objects) {
    Set<String> identities = new TreeSet<>();
    for (JsonNode object : objects) {
      assertThat(identities.add(identity(object))).as(identity(object)).isTrue();
    }
    return identities;
  }

  /** {@return the one of this kind, namespace and name} */
  static JsonNode object(List<JsonNode> objects, String identity) {
    return objects.stream()
        .filter(object -> identity(object).equals(identity))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + identity));
  }

  /** {@return what a workload's pods are made of} */
  static JsonNode pod(List<JsonNode> objects, String workload) {
    return object(objects, workload).at("/spec/template/spec");
  }
}
