package io.probelet.simulation.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.simulation.api.ApiWrite;
import io.probelet.simulation.api.SimulatedApiServer;
import io.probelet.simulation.kernel.Simulation;
import java.time.Duration;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * A remediator of medik8s, such as Self Node Remediation or Fence Agents Remediation: it holds the
 * remediation by a finalizer, taints and reboots the node, reports conditions, stops when the
 * NodeHealthCheck gives it up, and cleans up when the remediation is deleted.
 */
public final class ForeignRemediator {
  private static final String VERSION = "v1alpha1";
  private static final String TIMED_OUT = "remediation.medik8s.io/nhc-timed-out";
  private static final String NODE_NAME = "remediation.medik8s.io/node-name";

  private final Simulation world;
  private final SimulatedApiServer server;
  private final Brand brand;
  private final NodePower power;
  private final Requests requests;
  private final RandomGenerator random;
  private final double failing;
  private final Duration longest;
  private final Set<String> acting = new HashSet<>();
  private final Set<String> acted = new HashSet<>();

  /**
   * A remediator that exists.
   *
   * @param group of its API
   * @param kind of its remediations; its templates have the suffix Template
   * @param finalizer by which it holds a remediation
   * @param taint on the node while it works
   */
  public record Brand(String group, String kind, String finalizer, String taint) {
    /** Self Node Remediation. */
    public static final Brand SELF_NODE =
        new Brand(
            "self-node-remediation.medik8s.io",
            "SelfNodeRemediation",
            "self-node-remediation.medik8s.io/snr-finalizer",
            "medik8s.io/remediation");

    /** Fence Agents Remediation. */
    public static final Brand FENCE_AGENTS =
        new Brand(
            "fence-agents-remediation.medik8s.io",
            "FenceAgentsRemediation",
            "fence-agents-remediation.medik8s.io/far-finalizer",
            "medik8s.io/fence-agents-remediation");

    /** {@return the group and version} */
    public String apiVersion() {
      return group + "/" + VERSION;
    }
  }

  /**
   * Installs its kinds and starts it.
   *
   * @param failing how likely it is that its action fails, from 0 to 1
   * @param longest how long its action takes at most
   * @param power reboots nodes
   */
  public ForeignRemediator(
      Simulation world,
      SimulatedApiServer server,
      Brand brand,
      double failing,
      Duration longest,
      NodePower power) {
    this.world = world;
    this.server = server;
    this.brand = brand;
    this.failing = failing;
    this.longest = longest;
    this.power = power;
    String who = brand.kind().toLowerCase(Locale.ROOT) + "-controller";
    this.requests = new Requests(server, who);
    this.random = world.random(who);
    server.put(definition(brand.kind()));
    server.put(definition(brand.kind() + "Template"));
    server.onWrite(this::written);
  }

  private ObjectNode definition(String kind) {
    String plural = kind.toLowerCase(Locale.ROOT) + "s";
    ObjectNode crd = JsonNodeFactory.instance.objectNode();
    crd.put("apiVersion", "apiextensions.k8s.io/v1").put("kind", "CustomResourceDefinition");
    crd.putObject("metadata").put("name", plural + "." + brand.group());
    ObjectNode spec = crd.putObject("spec").put("group", brand.group()).put("scope", "Namespaced");
    spec.putObject("names").put("kind", kind).put("plural", plural);
    ObjectNode version = spec.putArray("versions").addObject().put("name", VERSION);
    version.put("served", true).put("storage", true);
    version.putObject("subresources").putObject("status");
    version
        .putObject("schema")
        .putObject("openAPIV3Schema")
        .put("type", "object")
        .put("x-kubernetes-preserve-unknown-fields", true);
    return crd;
  }

  private void written(ApiWrite write) {
    ObjectNode object = write.after();
    if (object != null
        && object.path("kind").asText().equals(brand.kind())
        && object.path("apiVersion").asText().equals(brand.apiVersion())) {
      String path =
          "/apis/%s/namespaces/%s/%s/%s"
              .formatted(
                  brand.apiVersion(),
                  object.at("/metadata/namespace").asText(),
                  brand.kind().toLowerCase(Locale.ROOT) + "s",
                  Requests.name(object));
      long longestReaction = Math.min(2_000, longest.toMillis() / 5);
      world.after(Duration.ofMillis(random.nextLong(20, longestReaction)), () -> reconcile(path));
    }
  }

  private void reconcile(String path) {
    JsonNode remediation = server.get(path);
    if (remediation.isMissingNode()) {
      return;
    }
    String uid = Requests.uid(remediation);
    if (acting.contains(uid)) {
      return; // it comes back when the action is over
    }
    if (Requests.isDeleting(remediation)) {
      cleanUp(path, remediation);
    } else if (!isHeld(remediation)) {
      begin(path);
    } else if (Requests.status(remediation, "Succeeded").equals("Unknown")) {
      if (remediation.path("metadata").path("annotations").has(TIMED_OUT)) {
        report(path, "False", "False", "RemediationStoppedByNHC");
      } else if (!acted.contains(uid)) {
        act(path, remediation);
      }
    }
  }

  private boolean isHeld(JsonNode remediation) {
    for (JsonNode each : remediation.at("/metadata/finalizers")) {
      if (each.asText().equals(brand.finalizer())) {
        return true;
      }
    }
    return false;
  }

  private void begin(String path) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").set("finalizers", finalizers(path, true));
    requests.patch(path, patch);
    report(path, "True", "Unknown", "RemediationStarted");
  }

  private ArrayNode finalizers(String path, boolean held) {
    ArrayNode kept = JsonNodeFactory.instance.arrayNode();
    for (JsonNode each : server.get(path).at("/metadata/finalizers")) {
      if (!each.asText().equals(brand.finalizer())) {
        kept.add(each);
      }
    }
    if (held) {
      kept.add(brand.finalizer());
    }
    return kept;
  }

  private void report(String path, String processing, String succeeded, String reason) {
    JsonNode conditions = server.get(path).at("/status/conditions");
    conditions = requests.with(conditions, "Processing", processing, reason, "");
    conditions = requests.with(conditions, "Succeeded", succeeded, reason, "");
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("status").set("conditions", conditions);
    requests.patch(path + "/status", patch);
  }

  private void act(String path, JsonNode remediation) {
    String uid = Requests.uid(remediation);
    String node = node(remediation);
    acting.add(uid);
    taint(node, true);
    boolean works = random.nextDouble() >= failing;
    world.after(
        Duration.ofMillis(random.nextLong(50, longest.toMillis())),
        () -> {
          acting.remove(uid);
          acted.add(uid);
          if (works) {
            power.reboot(node);
          }
          if (Requests.uid(server.get(path)).equals(uid)) {
            report(
                path,
                "False",
                works ? "True" : "False",
                works ? "RemediationFinishedSuccessfully" : "RemediationFailed");
          }
        });
  }

  private static String node(JsonNode remediation) {
    return remediation
        .path("metadata")
        .path("annotations")
        .path(NODE_NAME)
        .asText(Requests.name(remediation));
  }

  private void cleanUp(String path, JsonNode remediation) {
    if (isHeld(remediation)) {
      taint(node(remediation), false);
      ObjectNode patch = JsonNodeFactory.instance.objectNode();
      patch.putObject("metadata").set("finalizers", finalizers(path, false));
      requests.patch(path, patch);
    }
  }

  private void taint(String node, boolean wanted) {
    ArrayNode taints = JsonNodeFactory.instance.arrayNode();
    for (JsonNode each : server.get("/api/v1/nodes/" + node).at("/spec/taints")) {
      if (!each.path("key").asText().equals(brand.taint())) {
        taints.add(each);
      }
    }
    if (wanted) {
      taints.addObject().put("key", brand.taint()).put("effect", "NoExecute");
    }
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("spec").set("taints", taints);
    requests.patch("/api/v1/nodes/" + node, patch);
  }
}
