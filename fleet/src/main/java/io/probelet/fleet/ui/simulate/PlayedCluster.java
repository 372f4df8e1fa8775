package io.probelet.fleet.ui.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.nodehealth.remediation.NodeFacts;
import java.util.List;
import java.util.Optional;

/** What a rehearsal needs to know of the cluster; each call may give a newer answer. */
public interface PlayedCluster {
  /** {@return the names of its NodeHealthChecks, in the order in which they are offered} */
  List<String> checks();

  /**
   * Finds a NodeHealthCheck.
   *
   * @return the resource as it is in the cluster, never changed; empty if there is none
   */
  Optional<JsonNode> check(String name);

  /** {@return its nodes} */
  List<NodeFacts> nodes();
}
