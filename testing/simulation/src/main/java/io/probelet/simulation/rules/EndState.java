package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.simulation.node.ContainerInstance;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * What there is in a world at its end.
 *
 * @param at the moment, in nanoseconds since the beginning
 * @param objects all objects of the API server, by path
 * @param instances the newest instance of each container
 * @param records what the agent of each node has recorded of incidents
 */
public record EndState(
    long at,
    SequencedMap<String, JsonNode> objects,
    List<ContainerInstance> instances,
    Map<String, List<JsonNode>> records) {}
