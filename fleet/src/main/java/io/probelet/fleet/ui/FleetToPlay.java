package io.probelet.fleet.ui;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.fleet.FleetSource;
import io.probelet.fleet.ui.simulate.PlayedCluster;
import io.probelet.nodehealth.remediation.NodeFacts;
import java.util.List;
import java.util.Optional;

/** The cluster that is read, for simulations. */
public record FleetToPlay(FleetSource fleet) implements PlayedCluster {
  @Override
  public List<String> checks() {
    return fleet.checkNames();
  }

  @Override
  public Optional<JsonNode> check(String name) {
    return fleet.check(name);
  }

  @Override
  public List<NodeFacts> nodes() {
    return fleet.nodeFacts();
  }
}
