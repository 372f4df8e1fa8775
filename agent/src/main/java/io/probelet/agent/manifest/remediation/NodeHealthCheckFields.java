package io.probelet.agent.manifest.remediation;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.agent.manifest.field.Field;
import io.probelet.agent.manifest.field.Fields;
import io.probelet.agent.manifest.field.Problems;
import io.probelet.agent.manifest.tree.Node;
import io.probelet.agent.manifest.tree.Node.Entry;
import io.probelet.agent.manifest.tree.Node.Mapping;
import io.probelet.agent.manifest.tree.Node.Scalar;
import io.probelet.agent.manifest.tree.Node.Sequence;
import io.probelet.agent.manifest.tree.NodeJson;
import io.probelet.agent.manifest.tree.Position;
import io.probelet.nodehealth.resource.Finding;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.NodeHealthCheckReader;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import io.probelet.nodehealth.resource.TemplateKinds;
import java.util.List;
import java.util.Optional;

/** Reads one NodeHealthCheck of a file and says where in the file something is wrong with it. */
public final class NodeHealthCheckFields {
  private NodeHealthCheckFields() {}

  /**
   * Reads a NodeHealthCheck as a cluster would that does not have it yet.
   *
   * @param object the whole object
   * @param problems where problems go
   * @return the NodeHealthCheck; empty if it is refused
   */
  public static Optional<NodeHealthCheck> read(Fields object, Problems problems) {
    return read(object, problems, TemplateKinds.UNKNOWN);
  }

  /**
   * Reads a NodeHealthCheck as a cluster would that does not have it yet.
   *
   * @param object the whole object
   * @param problems where problems go
   * @param kinds what is known about templates
   * @return the NodeHealthCheck; empty if it is refused
   */
  public static Optional<NodeHealthCheck> read(
      Fields object, Problems problems, TemplateKinds kinds) {
    int errors = problems.errors();
    Field version = object.field("apiVersion");
    if (!version.isPresent()) {
      version.required("must be " + NodeHealthCheck.API_VERSION);
    } else if (!version.text("").equals(NodeHealthCheck.API_VERSION) && version.isText()) {
      version.unsupported(List.of(NodeHealthCheck.API_VERSION));
    }
    Node root = object.self().value();
    if (root == null) {
      return Optional.empty();
    }
    Optional<JsonNode> json = NodeJson.of(root);
    if (json.isEmpty()) {
      object.self().error("holds a number that JSON has none for");
      return Optional.empty();
    }
    NodeHealthCheckReader.Reading reading = NodeHealthCheckReader.ofNew(kinds).read(json.get());
    for (Finding finding : reading.findings()) {
      report(finding, object.self(), root, problems);
    }
    if (problems.errors() != errors) {
      return Optional.empty();
    }
    String name = json.get().path("metadata").path("name").asText();
    return reading
        .spec()
        .map(spec -> new NodeHealthCheck(name, "", spec, NodeHealthCheckStatus.NONE));
  }

  private static void report(Finding finding, Field object, Node root, Problems problems) {
    String path = object.path().isEmpty() ? finding.field() : object.path() + "." + finding.field();
    Position at = find(root, finding);
    if (finding.fatal()) {
      problems.error(at, path, finding.message());
    } else {
      problems.warning(at, path, finding.message());
    }
  }

  /** Goes as far towards the field as there is anything. */
  private static Position find(Node root, Finding finding) {
    Node node = root;
    Position at = root.at();
    for (String step : finding.path()) {
      Optional<Entry> next = child(node, step);
      if (next.isEmpty()) {
        break;
      }
      node = next.get().value();
      at = finding.fatal() ? node.at() : next.get().nameAt();
    }
    return at;
  }

  private static Optional<Entry> child(Node node, String step) {
    boolean bracketed = step.startsWith("[");
    String key = bracketed ? step.substring(1, step.length() - 1) : step;
    return switch (node) {
      case Mapping mapping -> Optional.ofNullable(mapping.entries().get(key));
      case Sequence sequence when bracketed -> {
        Node item = sequence.items().get(Integer.parseInt(key));
        yield Optional.of(new Entry(item.at(), item));
      }
      case Sequence _, Scalar _ -> Optional.empty();
    };
  }
}
