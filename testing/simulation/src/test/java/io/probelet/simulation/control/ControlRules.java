package io.probelet.simulation.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.simulation.api.ApiWrite;
import io.probelet.simulation.api.SimulatedApiServer;
import io.probelet.simulation.kernel.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The rules that each write must keep; a line with the time for each write that breaks one. */
final class ControlRules {
  /** For so long after a user's change a controller may not know it yet. */
  private static final long UNSEEN = Duration.ofSeconds(20).toNanos();

  private static final String NODE_NAME = "remediation.medik8s.io/node-name";
  private static final String TIMED_OUT = "remediation.medik8s.io/nhc-timed-out";
  private static final String ELECTIONS =
      "/apis/coordination.k8s.io/v1/namespaces/probelet-system/leases";

  private final Simulation world;
  private final SimulatedApiServer server;
  private final Map<String, JsonNode> remediations = new TreeMap<>();
  private final Map<String, Long> specChanged = new HashMap<>();
  private final Map<String, String> leaders = new HashMap<>();
  private final Set<String> written = new TreeSet<>();
  private final List<String> broken = new ArrayList<>();
  private int created;

  ControlRules(Simulation world, SimulatedApiServer server) {
    this.world = world;
    this.server = server;
  }

  List<String> broken() {
    return broken;
  }

  /** How many remediations were created. */
  int created() {
    return created;
  }

  void saw(ApiWrite write) {
    JsonNode object = write.after() == null ? write.before() : write.after();
    if (object == null) {
      return;
    }
    world
        .trace()
        .add(
            world.now(),
            write.process(),
            "%s %s %08x"
                .formatted(write.verb(), write.path(), String.valueOf(write.after()).hashCode()));
    boolean ours = write.process().startsWith("controller");
    if (ours) {
      lead(write, object);
      owns(write, object);
    }
    String kind = object.path("kind").asText();
    if (kind.equals("NodeHealthCheck") || kind.equals("RemediationPolicy")) {
      if (write.before() == null
          || write.after() == null
          || !write.before().path("spec").equals(write.after().path("spec"))) {
        specChanged.put(kind + " " + Requests.name(object), world.now());
      }
    }
    if (isRemediation(object)) {
      String uid = Requests.uid(object);
      if (write.after() == null) {
        remediations.remove(uid);
      } else if (remediations.put(uid, object) == null) {
        created++;
        limits(object, write);
        oneInForce(object, write);
      }
    }
  }

  private static boolean isRemediation(JsonNode object) {
    return object.path("metadata").path("annotations").has(NODE_NAME);
  }

  private static String node(JsonNode remediation) {
    return remediation.path("metadata").path("annotations").path(NODE_NAME).asText();
  }

  private static String owner(JsonNode remediation) {
    return remediation.at("/metadata/ownerReferences/0/name").asText();
  }

  private void fail(ApiWrite write, String what) {
    broken.add(
        "%.3f %s %s %s: %s"
            .formatted(world.now() / 1e9, write.process(), write.verb(), write.path(), what));
  }

  private boolean isKnown(JsonNode object) {
    Long at = specChanged.get(object.path("kind").asText() + " " + Requests.name(object));
    return at == null || world.now() - at > UNSEEN;
  }

  /** R-10, ACT-78: nodes under remediation, whoever leads. */
  private void limits(JsonNode remediation, ApiWrite write) {
    Set<String> all = new TreeSet<>();
    Set<String> ofCheck = new TreeSet<>();
    for (JsonNode each : remediations.values()) {
      if (!each.equals(remediation)) {
        all.add(node(each));
      }
      if (owner(each).equals(owner(remediation))) {
        ofCheck.add(node(each));
      }
    }
    boolean further = all.add(node(remediation)); // the next step of a node takes no further node
    for (ObjectNode policy : server.list("/apis/probelet.io/v1alpha1/remediationpolicies")) {
      if (further && isKnown(policy) && all.size() > policy.at("/spec/maxNodes").asInt(99)) {
        fail(write, "policy allows " + policy.at("/spec/maxNodes") + " nodes, now " + all);
      }
    }
    JsonNode check = server.get(ControlWorld.CHECKS + "/" + owner(remediation));
    if (check.isMissingNode() || !isKnown(check)) {
      return;
    }
    List<String> selected = new ArrayList<>();
    JsonNode labels = check.at("/spec/selector/matchLabels");
    for (ObjectNode node : server.list("/api/v1/nodes")) {
      boolean matches =
          labels.properties().stream()
              .allMatch(label ->
                  node.at("/metadata/labels").path(label.getKey()).equals(label.getValue()));
      if (matches) {
        selected.add(Requests.name(node));
      }
    }
    String least = check.at("/spec/minHealthy").asText();
    int minimum =
        least.endsWith("%")
            ? (int)
                Math.ceil(
                    selected.size()
                        * Integer.parseInt(least.substring(0, least.length() - 1))
                        / 100.0)
            : Integer.parseInt(least);
    ofCheck.retainAll(selected);
    if (ofCheck.size() > selected.size() - minimum) {
      fail(write, "minHealthy " + least + " of " + selected.size() + " nodes, now " + ofCheck);
    }
  }

  /** N-1, R-18. */
  private void oneInForce(JsonNode created, ApiWrite write) {
    for (JsonNode each : remediations.values()) {
      if (!each.equals(created)
          && node(each).equals(node(created))
          && owner(each).equals(owner(created))
          && !each.path("metadata").path("annotations").has(TIMED_OUT)
          && !Requests.status(each, "Succeeded").equals("True")
          && !Requests.status(each, "Succeeded").equals("False")
          && !isTimedOut(each)) {
        fail(
            write,
            "in force for this node: " + each.path("kind") + " " + each.at("/metadata/name"));
      }
    }
  }

  private boolean isTimedOut(JsonNode remediation) {
    JsonNode nodes =
        server.get(ControlWorld.CHECKS + "/" + owner(remediation)).at("/status/unhealthyNodes");
    for (JsonNode node : nodes) {
      for (JsonNode entry : node.path("remediations")) {
        if (entry.at("/resource/uid").asText().equals(Requests.uid(remediation))) {
          return entry.hasNonNull("timedOut");
        }
      }
    }
    return false;
  }

  /** The lease under which a write is made; null for none. */
  private static @Nullable String part(String path, JsonNode object) {
    String kind = object.path("kind").asText();
    if (kind.equals("Event")) {
      return null;
    }
    if (isRemediation(object)) {
      boolean annotated = path.endsWith("/" + Requests.name(object));
      return path.endsWith("/status")
          ? "probelet-remediators"
          : annotated ? null : "probelet-remediation";
    }
    return switch (kind) {
      case "NodeHealthCheck" -> "probelet-remediation";
      case "NodeOrder", "Job" -> "probelet-remediators";
      case "ClusterHealth" -> "probelet-cluster-care";
      case "Lease" -> path.contains("/medik8s-leases/") ? "probelet-remediation" : null;
      default -> null;
    };
  }

  /** N-1, ACT-9: a deposed leader's write has no effect after its successor's first. */
  private void lead(ApiWrite write, JsonNode object) {
    if (write.path().startsWith(ELECTIONS) && write.after() != null) {
      String lease = Requests.name(object);
      String holder = object.at("/spec/holderIdentity").asText();
      if (!holder.isEmpty() && !write.process().equals(leaders.put(lease, write.process()))) {
        written.remove(lease);
      }
      return;
    }
    String part = part(write.path(), object);
    String leader = part == null ? null : leaders.get(part);
    if (part == null || leader == null) {
      return;
    }
    if (leader.equals(write.process())) {
      written.add(part);
    } else if (written.contains(part)) {
      fail(write, leader + " leads " + part + " and has written");
    }
  }

  /** Others' fields, conditions, taints, labels and finalizers stay as they are. */
  private void owns(ApiWrite write, JsonNode object) {
    if (write.before() == null || write.after() == null) {
      return;
    }
    Set<String> changed = new TreeSet<>();
    diff("", write.before(), write.after(), changed);
    changed.removeIf(path ->
        path.equals("/metadata/resourceVersion")
            || path.startsWith("/metadata/managedFields")
            || path.equals("/metadata/generation")
            || path.startsWith("/metadata/deletion"));
    changed.removeIf(path -> mayChange(object, path));
    if (!changed.isEmpty()) {
      fail(write, "changed " + changed);
    }
  }

  private static boolean mayChange(JsonNode object, String path) {
    String kind = object.path("kind").asText();
    String lower = path.toLowerCase(Locale.ROOT);
    if (lower.contains("probelet.io") || lower.startsWith("/metadata/annotations/remediation.")) {
      return true;
    }
    if (isRemediation(object)) {
      boolean ours = object.path("apiVersion").asText().startsWith("probelet.io/");
      return path.contains("/metadata/annotations/nodehealthcheck.medik8s.io/")
          || (ours && path.startsWith("/status"));
    }
    return switch (kind) {
      case "NodeHealthCheck", "RemediationPolicy", "ClusterHealth" -> path.startsWith("/status");
      case "Lease", "Event" -> true;
      case "NodeOrder" -> path.equals("/spec/granted");
      case "Node" -> path.equals("/spec/unschedulable");
      default -> false;
    };
  }

  /** Elements of lists count by their type, key or text, so that an order is no change. */
  private static void diff(String path, JsonNode before, JsonNode after, Set<String> changed) {
    if (before.equals(after)) {
      return;
    }
    if ((before.isObject() || before.isMissingNode())
        && (after.isObject() || after.isMissingNode())
        && !(before.isMissingNode() && after.isMissingNode())) {
      Set<String> keys = new TreeSet<>();
      before.fieldNames().forEachRemaining(keys::add);
      after.fieldNames().forEachRemaining(keys::add);
      if (keys.isEmpty()) {
        return;
      }
      keys.forEach(key -> diff(path + "/" + key, before.path(key), after.path(key), changed));
    } else if (before.isArray() || after.isArray()) {
      Map<String, JsonNode> was = keyed(before);
      Map<String, JsonNode> is = keyed(after);
      Set<String> keys = new TreeSet<>(was.keySet());
      keys.addAll(is.keySet());
      for (String key : keys) {
        if (!was.containsKey(key) || !was.get(key).equals(is.get(key))) {
          changed.add(path + "/" + key);
        }
      }
    } else {
      changed.add(path);
    }
  }

  private static Map<String, JsonNode> keyed(JsonNode list) {
    Map<String, JsonNode> elements = new TreeMap<>();
    for (JsonNode each : list) {
      String key =
          each.isTextual() ? each.asText() : each.path("type").asText(each.path("key").asText());
      elements.put(key, each);
    }
    return elements;
  }
}
