package io.probelet.manifest.remediation;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Finding;
import io.probelet.document.field.Problems;
import io.probelet.document.tree.Node;
import io.probelet.document.tree.NodeJson;
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
      FoundAt.report(finding, object.self().path(), root, problems);
    }
    if (problems.errors() != errors) {
      return Optional.empty();
    }
    String name = json.get().path("metadata").path("name").asText();
    return reading
        .spec()
        .map(spec -> new NodeHealthCheck(name, "", spec, NodeHealthCheckStatus.NONE));
  }
}
