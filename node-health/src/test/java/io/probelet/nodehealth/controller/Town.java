package io.probelet.nodehealth.controller;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.probelet.health.VirtualTime;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.yaml.snakeyaml.Yaml;

/** What a mocked API server has, for tests to change and to look at. */
final class Town {
  static final String LEASES = "medik8s-leases";

  private final KubernetesClient client;
  private final VirtualTime time;

  Town(KubernetesClient client, VirtualTime time) {
    this.client = client;
    this.time = time;
  }

  /** What discovery answers for the kinds of the tests. */
  static Map<String, Object> discovery(String... kinds) {
    List<Object> resources = new ArrayList<>();
    for (String kind : kinds) {
      resources.add(Map.of("name", plural(kind), "kind", kind, "namespaced", true));
      resources.add(Map.of("name", plural(kind) + "/status", "kind", kind, "namespaced", true));
    }
    return Map.of(
        "kind", "APIResourceList", "groupVersion", "example.io/v1", "resources", resources);
  }

  Node node(String name, String... labels) {
    Map<String, String> all = new TreeMap<>();
    for (String label : labels) {
      all.put(label, "");
    }
    return client
        .resource(
            new NodeBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(all)
                .addToLabels("worker", "yes")
                .endMetadata()
                .withNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus("True")
                .withLastTransitionTime(stamp())
                .endCondition()
                .endStatus()
                .build())
        .create();
  }

  void ready(String node, String status) {
    client
        .nodes()
        .withName(node)
        .editStatus(old ->
            new NodeBuilder(old)
                .editStatus()
                .editFirstCondition()
                .withStatus(status)
                .withLastTransitionTime(stamp())
                .endCondition()
                .endStatus()
                .build());
  }

  void annotateNode(String node, String key, String value) {
    client
        .nodes()
        .withName(node)
        .edit(old ->
            new NodeBuilder(old).editMetadata().addToAnnotations(key, value).endMetadata().build());
  }

  /** A template whose kind may be used twice for a node. */
  void multipleTemplate(String kind, String name) {
    create(
        """
        apiVersion: example.io/v1
        kind: %s
        metadata:
          name: %s
          namespace: remedies
          annotations: {remediation.medik8s.io/multiple-templates-support: "true"}
        spec: {template: {spec: {strategy: Automatic}}}
        """
            .formatted(kind, name));
  }

  void template(String kind, String name) {
    create(
        """
        apiVersion: example.io/v1
        kind: %s
        metadata: {name: %s, namespace: remedies}
        spec: {template: {spec: {strategy: Automatic}}}
        """
            .formatted(kind, name));
  }

  /** A NodeHealthCheck for the nodes with the label worker, unhealthy after a minute. */
  void check(String name, String remedy) {
    create(
        """
        apiVersion: remediation.medik8s.io/v1alpha1
        kind: NodeHealthCheck
        metadata: {name: %s}
        spec:
          selector: {matchLabels: {worker: "yes"}}
          minHealthy: 0
          unhealthyConditions:
          - {type: Ready, status: Unknown, duration: 60s}
          - {type: Ready, status: "False", duration: 60s}
        %s\
        """
            .formatted(name, remedy.indent(2)));
  }

  static String template(String kind) {
    return """
    remediationTemplate:
      {apiVersion: example.io/v1, kind: %s, namespace: remedies, name: reboot}
    """
        .formatted(kind);
  }

  static String escalation(String... kinds) {
    StringBuilder steps = new StringBuilder("escalatingRemediations:\n");
    for (int i = 0; i < kinds.length; i++) {
      steps.append(
          """
          - order: %d
            timeout: 600s
            remediationTemplate:
              {apiVersion: example.io/v1, kind: %s, namespace: remedies, name: reboot}
          """
              .formatted(i, kinds[i]));
    }
    return steps.toString();
  }

  void create(String yaml) {
    GenericKubernetesResource resource =
        client
            .getKubernetesSerialization()
            .convertValue(new Yaml().<Object>load(yaml), GenericKubernetesResource.class);
    operation(resource.getApiVersion(), resource.getKind(), resource.getMetadata().getNamespace())
        .resource(resource)
        .create();
  }

  List<GenericKubernetesResource> remediations(String kind) {
    return operation("example.io/v1", kind, "remedies").list().getItems();
  }

  Resource<GenericKubernetesResource> remediation(String kind, String node) {
    return operation("example.io/v1", kind, "remedies").withName(node);
  }

  Resource<GenericKubernetesResource> templateOf(String kind) {
    return operation("example.io/v1", kind, "remedies").withName("reboot");
  }

  Resource<GenericKubernetesResource> check(String name) {
    return operation("remediation.medik8s.io/v1alpha1", "NodeHealthCheck", null).withName(name);
  }

  void succeeded(String kind, String node, String status) {
    remediation(kind, node)
        .edit(resource -> {
          resource.setAdditionalProperty(
              "status",
              Map.of("conditions", List.of(Map.of("type", "Succeeded", "status", status))));
          return resource;
        });
  }

  String phase(String check) {
    Object phase = check(check).get().get("status", "phase");
    return String.valueOf(phase);
  }

  String status(String check) {
    Object status = check(check).get().get("status");
    return String.valueOf(status);
  }

  int unhealthy(String check) {
    Object nodes = check(check).get().get("status", "unhealthyNodes");
    return nodes instanceof Collection<?> list ? list.size() : 0;
  }

  Lease lease(String node) {
    return client.leases().inNamespace(LEASES).withName("node-" + node).get();
  }

  /** What was told, as reason and message, by whom. */
  List<String> told() {
    return client.v1().events().inNamespace("default").list().getItems().stream()
        .map(event ->
            event.getSource().getComponent() + " " + event.getReason() + " " + event.getMessage())
        .toList();
  }

  List<String> events() {
    return client.v1().events().inNamespace("default").list().getItems().stream()
        .map(Event::getReason)
        .toList();
  }

  boolean isTimedOut(String kind, String node) {
    GenericKubernetesResource resource = remediation(kind, node).get();
    return resource != null
        && resource.getMetadata().getAnnotations().containsKey(WireNames.TIMED_OUT);
  }

  void pass(Duration length) {
    time.advance(length);
  }

  /**
   * Waits for what comes from the API server, which is real; the controller's time goes on
   * meanwhile.
   */
  ConditionFactory await() {
    return Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .pollInSameThread()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(10))
        .conditionEvaluationListener(_ -> time.advance(Duration.ofMillis(20)));
  }

  private String stamp() {
    return Instant.ofEpochSecond(time.clock().wallTime().getEpochSecond()).toString();
  }

  NonNamespaceOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      operation(String apiVersion, String kind, String namespace) {
    int slash = apiVersion.indexOf('/');
    var all =
        client.genericKubernetesResources(
            new ResourceDefinitionContext.Builder()
                .withGroup(apiVersion.substring(0, slash))
                .withVersion(apiVersion.substring(slash + 1))
                .withKind(kind)
                .withPlural(plural(kind))
                .withNamespaced(namespace != null)
                .build());
    return namespace == null ? all : all.inNamespace(namespace);
  }

  private static String plural(String kind) {
    return kind.toLowerCase(Locale.ROOT) + "s";
  }
}
