package io.probelet.fleet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.document.field.Problem;
import io.probelet.kube.Metadata;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.NodeHealthCheckReader;
import io.probelet.nodehealth.resource.NodeHealthCheckReader.Reading;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import io.probelet.nodehealth.resource.TemplateKinds;
import io.probelet.nodehealth.wire.StatusJson;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The part of a NodeHealthCheck that is kept.
 *
 * @param resource as it is in the cluster, for simulations; not to be changed
 * @param status what its controller answered last
 * @param valid the same, if its spec can be used; else null
 * @param problem why its spec cannot be used; empty if it can
 */
record CheckReading(
    String name,
    ObjectNode resource,
    NodeHealthCheckStatus status,
    List<FleetCondition> conditions,
    @Nullable NodeHealthCheck valid,
    String problem) {
  private static final NodeHealthCheckReader READER =
      NodeHealthCheckReader.ofExisting(TemplateKinds.UNKNOWN);

  static CheckReading of(ObjectNode resource) {
    String name = resource.at("/metadata/name").asText();
    NodeHealthCheckStatus status = StatusJson.read(resource.path("status"));
    Reading reading = READER.read(resource);
    return new CheckReading(
        name,
        resource,
        status,
        ConditionReader.ofCheck(resource.at("/status/conditions")),
        reading
            .spec()
            .map(spec -> new NodeHealthCheck(name, Metadata.uid(resource), spec, status))
            .orElse(null),
        FleetText.of(
            reading.refusals().stream().map(Problem::text).collect(Collectors.joining("; ")),
            FleetText.SENTENCE));
  }
}
