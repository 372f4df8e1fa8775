package io.probelet.agent.ui;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.agent.fleet.FleetReader;
import io.probelet.agent.ui.simulate.PlayedCluster;
import io.probelet.nodehealth.remediation.NodeFacts;
import java.util.List;
import java.util.Optional;

/** The cluster that is read, for simulations. */
record FleetToPlay(FleetReader reader) implements PlayedCluster {
  @Override
  public List<String> checks() {
    return reader.checkNames();
  }

  @Override
  public Optional<JsonNode> check(String name) {
    return reader.check(name);
  }

  @Override
  public List<NodeFacts> nodes() {
    return reader.nodeFacts();
  }
}
