package io.probelet.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.nodehealth.remediation.NodeFacts;
import java.util.List;
import java.util.Optional;

/** Where the view of a cluster comes from. All methods may be called by any thread. */
public interface FleetSource {
  /** {@return the cluster as it is now, or was a few seconds ago} */
  FleetView view();

  /**
   * {@return a NodeHealthCheck as it is in the cluster, not to be changed; empty if there is none
   * of that name}
   */
  Optional<JsonNode> check(String name);

  /** {@return the names of the NodeHealthChecks, in order} */
  List<String> checkNames();

  /** {@return what remediation needs to know of each node, by name} */
  List<NodeFacts> nodeFacts();
}
