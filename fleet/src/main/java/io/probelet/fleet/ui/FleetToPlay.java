package io.probelet.fleet.ui;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.fleet.FleetReader;
import io.probelet.fleet.ui.simulate.PlayedCluster;
import io.probelet.nodehealth.remediation.NodeFacts;
import java.util.List;
import java.util.Optional;

/** The cluster that is read, for simulations. */
public record FleetToPlay(FleetReader reader) implements PlayedCluster {
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
