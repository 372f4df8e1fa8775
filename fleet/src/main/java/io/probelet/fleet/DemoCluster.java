package io.probelet.fleet;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.TimeSource;
import io.probelet.nodehealth.policy.RemediationPolicy;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.NodeLease;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.NodeView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A made-up cluster, to try the pages without one: nothing is read from or written to any API
 * server. Its objects are read and evaluated as those of a real cluster. A node fails and recovers
 * every five minutes, and a container every two.
 */
public final class DemoCluster implements FleetSource {
  /** What pages show of it, so that nobody takes it for real. */
  public static final String NOTICE =
      "Demo: this cluster is made up. Nothing is read from or written to a real cluster.";

  private static final String SERVER = "https://demo.invalid:6443";

  private final TimeSource time;
  private final Instant start;
  private final CensusCache censuses = new CensusCache();
  private Instant lastingSince = Instant.MIN;
  private List<ObjectNode> lasting = List.of();

  /** Creates a cluster whose story begins now. */
  public DemoCluster(TimeSource time) {
    this.time = time;
    start = now();
  }

  private Instant now() {
    return time.wallTime().truncatedTo(ChronoUnit.SECONDS);
  }

  private DemoTime moment() {
    return DemoTime.of(start, now());
  }

  /** They are texts, which take longer to read than all else does. */
  private synchronized List<ObjectNode> objects(DemoTime moment) {
    if (!lastingSince.equals(moment.began())) {
      lasting = DemoObjects.lasting(moment);
      lastingSince = moment.began();
    }
    List<ObjectNode> objects = new ArrayList<>(lasting);
    objects.addAll(DemoObjects.moving(moment));
    return objects;
  }

  @Override
  public synchronized FleetView view() {
    DemoTime moment = moment();
    return FleetAssembly.view(facts(objects(moment), moment.now()), censuses, moment.now());
  }

  @Override
  public Optional<JsonNode> check(String name) {
    return checks()
        .filter(check -> check.name().equals(name))
        .findFirst()
        .map(CheckReading::resource);
  }

  @Override
  public List<String> checkNames() {
    return checks().map(CheckReading::name).toList();
  }

  private Stream<CheckReading> checks() {
    return kind(objects(moment()), NodeHealthCheck.KIND).map(CheckReading::of);
  }

  @Override
  public List<NodeFacts> nodeFacts() {
    return kind(objects(moment()), "Node").map(node -> node(node).facts()).toList();
  }

  /**
   * {@return a node as its agent would see it}
   *
   * @throws IOException if the node is down or there is none of that name
   */
  public NodeView node(String node) throws IOException {
    return DemoAgents.node(known(node), moment());
  }

  /**
   * {@return the containers of a node as its agent would see them}
   *
   * @param history how many past outcomes of each probe are wanted
   * @throws IOException if the node is down or there is none of that name
   */
  public List<ContainerView> containers(String node, int history) throws IOException {
    return DemoAgents.containers(known(node), moment(), history);
  }

  private NodeFacts known(String name) throws IOException {
    return kind(objects(moment()), "Node")
        .filter(node -> node.at("/metadata/name").asText().equals(name))
        .findFirst()
        .map(node -> node(node).facts())
        .orElseThrow(() -> new IOException("there is no node " + name));
  }

  private static FleetFacts facts(List<ObjectNode> objects, Instant now) {
    return new FleetFacts(
        SERVER,
        kind(objects, "Node").map(DemoCluster::node).toList(),
        kind(objects, NodeHealthCheck.KIND).map(CheckReading::of).toList(),
        objects.stream()
            .filter(object -> object.path("kind").asText().endsWith("Remediation"))
            .map(RemediationReading::of)
            .toList(),
        kind(objects, RemediationPolicy.KIND).map(PolicyReading::of).toList(),
        List.<NodeLease>of(),
        kind(objects, "Lease")
            .map(lease -> FleetLeader.of(lease.at("/metadata/name").asText(), lease, now))
            .toList(),
        kind(objects, "ClusterHealth")
            .flatMap(health -> ConditionReader.ofCluster(health.at("/status/conditions")).stream())
            .toList(),
        kind(objects, "Event").map(EventReader::read).toList(),
        null,
        null,
        Set.of(),
        List.of(),
        List.of());
  }

  private static Stream<ObjectNode> kind(List<ObjectNode> objects, String kind) {
    return objects.stream().filter(object -> object.path("kind").asText().equals(kind));
  }

  private static NodeReading node(ObjectNode node) {
    try (JsonParser tokens = node.traverse()) {
      tokens.nextToken();
      return new NodeReading.OfNodes().read(tokens, _ -> null).value().value();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
  }
}
