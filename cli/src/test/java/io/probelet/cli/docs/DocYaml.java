package io.probelet.cli.docs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.cli.Probelet;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.NodeJson;
import io.probelet.document.tree.Source;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;

/**
 * YAML in the documentation. {@code probelet validate} reads it; a part of an object is put into a
 * whole one first, and objects of our kinds may have the fields of their definitions only.
 */
final class DocYaml {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PROBES = "probelet.io/probes";

  private static final Map<String, JsonNode> DEFINITIONS = definitions();
  private static final List<JsonNode> KINDLESS = schemas();

  private final Path scratch;
  private int files;

  /**
   * Reads nothing yet.
   *
   * @param scratch where files go
   */
  DocYaml(Path scratch) {
    this.scratch = scratch;
  }

  private static Map<String, JsonNode> definitions() {
    Map<String, JsonNode> definitions = new LinkedHashMap<>();
    try (Stream<Path> crds = Files.list(DocBlock.ROOT.resolve("deploy/crds"))) {
      for (Path file : crds.sorted().toList()) {
        JsonNode definition = documents(Files.readString(file)).getFirst();
        definitions.put(definition.at("/spec/names/kind").asText(), definition);
      }
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
    return definitions;
  }

  private static List<JsonNode> schemas() {
    List<JsonNode> schemas = new ArrayList<>();
    try (Stream<Path> files = Files.walk(DocBlock.ROOT.resolve("docs"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".schema.json")).toList()) {
        schemas.add(JSON.readTree(file.toFile()));
      }
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
    return schemas;
  }

  /** {@return the definitions of our kinds} */
  static Collection<JsonNode> ourDefinitions() {
    return DEFINITIONS.values();
  }

  static List<JsonNode> documents(String yaml) {
    List<JsonNode> documents = new ArrayList<>();
    for (Document document : Document.yaml(Source.of(yaml)).toList()) {
      if (!document.problems().isEmpty() || document.root() == null) {
        throw new IllegalArgumentException("the YAML is broken: " + document.problems());
      }
      documents.add(NodeJson.of(document.root()).orElseThrow());
    }
    return documents;
  }

  /** {@return what is wrong with a block; empty if nothing is} */
  List<String> problems(String yaml) throws IOException {
    List<String> problems = new ArrayList<>();
    for (JsonNode document : documents(yaml)) {
      if (isStatus(document)) {
        continue; // what a controller writes: nobody reads it from a file
      }
      ObjectNode whole = whole((ObjectNode) document);
      if (whole == null) {
        problems.add(
            "it is neither a whole object nor a part of a Pod, of a custom resource or of a"
                + " file without a kind; give it apiVersion and kind");
        continue;
      }
      JsonNode definition = DEFINITIONS.get(whole.path("kind").asText());
      if (definition != null) {
        fields(whole, definition.at("/spec/versions/0/schema/openAPIV3Schema"), "", problems);
      }
      validate(whole, problems);
    }
    return problems;
  }

  /** {@return the object that a document is, or is a part of; null if there is none} */
  private ObjectNode whole(ObjectNode document) {
    if (document.has("kind") || KINDLESS.stream().anyMatch(each -> isIn(document, each))) {
      return document;
    }
    JsonNode annotations = document.at("/metadata/annotations");
    if (annotations.isObject()) {
      return pod(document, annotations);
    }
    for (Map.Entry<String, JsonNode> each : DEFINITIONS.entrySet()) {
      JsonNode schema = each.getValue().at("/spec/versions/0/schema/openAPIV3Schema");
      if (isIn(document, schema) && isIn(document.path("spec"), schema.at("/properties/spec"))) {
        ObjectNode whole = JsonNodeFactory.instance.objectNode();
        whole.put(
            "apiVersion",
            each.getValue().at("/spec/group").asText()
                + "/"
                + each.getValue().at("/spec/versions/0/name").asText());
        whole.put("kind", each.getKey());
        whole.putObject("metadata").put("name", "cluster");
        return whole.setAll(document);
      }
    }
    return null;
  }

  private static boolean isStatus(JsonNode document) {
    return document.size() == 1 && (document.has("status") || document.has("conditions"));
  }

  private static boolean isIn(JsonNode document, JsonNode schema) {
    List<String> names = new ArrayList<>();
    document.fieldNames().forEachRemaining(names::add);
    return !names.isEmpty() && names.stream().allMatch(schema.path("properties")::has);
  }

  private static ObjectNode pod(ObjectNode part, JsonNode annotations) {
    ObjectNode pod = part.deepCopy();
    pod.put("apiVersion", "v1").put("kind", "Pod");
    ((ObjectNode) pod.path("metadata")).put("name", "web");
    ObjectNode spec = pod.has("spec") ? (ObjectNode) pod.path("spec") : pod.putObject("spec");
    if (!spec.has("containers")) {
      ArrayNode containers = spec.putArray("containers");
      JsonNode probes =
          annotations.has(PROBES)
              ? documents(annotations.path(PROBES).asText()).getFirst()
              : JsonNodeFactory.instance.objectNode().putObject("web");
      if (probes.isEmpty()) {
        containers.addObject().put("name", "web").put("image", "example.com/web");
      }
      probes
          .fieldNames()
          .forEachRemaining(
              name -> containers.addObject().put("name", name).put("image", "example.com/web"));
    }
    return pod;
  }

  private static void fields(JsonNode value, JsonNode schema, String at, List<String> problems) {
    if (value.isArray()) {
      value.forEach(each -> fields(each, schema.path("items"), at + "[]", problems));
      return;
    }
    if (!schema.has("properties")) {
      return;
    }
    for (var field : value.properties()) {
      JsonNode inner = schema.path("properties").path(field.getKey());
      if (inner.isMissingNode()) {
        problems.add("there is no field " + at + "." + field.getKey());
      } else {
        fields(field.getValue(), inner, at + "." + field.getKey(), problems);
      }
    }
  }

  private void validate(ObjectNode object, List<String> problems) throws IOException {
    Path file = scratch.resolve("block-" + files++ + ".yaml");
    Files.writeString(file, object.toString());
    String[] arguments =
        profiled(object)
            ? new String[] {"validate", "--policy", policy().toString(), file.toString()}
            : isForRun(object)
                ? new String[] {"validate", file.toString()}
                : new String[] {"validate", "--probes-only", file.toString()};
    StringWriter out = new StringWriter();
    CommandLine line = Probelet.commandLine(arguments);
    line.setOut(new PrintWriter(out)).setErr(new PrintWriter(out));
    if (line.execute(arguments) != 0) {
      problems.add(out.toString().replace(file.toString(), "").strip());
    }
  }

  /** Its containers are commands: it is a Pod for {@code probelet run}. */
  private static boolean isForRun(ObjectNode object) {
    JsonNode first = object.at("/spec/containers/0");
    return first.has("command") && !first.has("image");
  }

  /** A profile is one that the agents' configuration has. */
  private static boolean profiled(ObjectNode object) {
    return object.at("/metadata/annotations").path(PROBES).asText().contains("profile:");
  }

  private Path policy() throws IOException {
    return Files.writeString(
        scratch.resolve("agent.yaml"),
        "policy: {profiles: [{name: mesh, namespaces: [\"*\"], tls: {}}]}\n");
  }
}
