package io.probelet.cli.realapi;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;

/** Writes as an agent makes them, and others: of one node, its pods, their events and its lease. */
final class AgentWrites {
  static final String SYSTEM = "probelet-system";
  static final String HERE = "probelet-policy-here";
  static final String THERE = "probelet-policy-there";
  static final String SHOP = "probelet-policy-shop";

  private AgentWrites() {}

  static Resource<Pod> pods(KubernetesClient client, String name) {
    return client.pods().inNamespace(SHOP).withName(name);
  }

  static PatchContext merge() {
    return PatchContext.of(PatchType.JSON_MERGE);
  }

  static void patch(Resource<?> resource, String patch) {
    resource.patch(PatchContext.of(PatchType.STRATEGIC_MERGE), patch);
  }

  static void nodeStatus(KubernetesClient client, String node, String patch) {
    client
        .nodes()
        .withName(node)
        .subresource("status")
        .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), patch);
  }

  static String condition(String type) {
    return "{\"status\": {\"conditions\": [{\"type\": \"%s\", \"status\": \"Unknown\"}]}}"
        .formatted(type);
  }

  static void podStatus(KubernetesClient client, String pod, String patch) {
    pods(client, pod)
        .subresource("status")
        .patch(PatchContext.of(PatchType.STRATEGIC_MERGE), patch);
  }

  static String podCondition(String type) {
    return "{\"status\": {\"conditions\": [{\"type\": \"%s\", \"status\": \"True\"}]}}"
        .formatted(type);
  }

  /** As the agent does it. */
  static void gate(KubernetesClient client, String pod, String status) {
    pods(client, pod)
        .subresource("status")
        .patch(
            applied(),
            """
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "%s", "uid": "%s"},
             "status": {"conditions": [{"type": "probelet.io/ready", "status": "%s", "reason": "R", "message": "m",
               "lastTransitionTime": "2026-11-21T10:00:00Z"}]}}\
            """
                .formatted(pod, SHOP, pods(client, pod).get().getMetadata().getUid(), status));
  }

  static PatchContext applied() {
    return new PatchContext.Builder()
        .withPatchType(PatchType.SERVER_SIDE_APPLY)
        .withFieldManager("probelet")
        .withForce(true)
        .build();
  }

  static void evict(KubernetesClient client, Pod pod) {
    client.raw(
        "/api/v1/namespaces/" + SHOP + "/pods/" + pod.getMetadata().getName() + "/eviction",
        "POST",
        """
        {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "%s", "namespace": "%s"},
         "deleteOptions": {"gracePeriodSeconds": 0}}\
        """
            .formatted(pod.getMetadata().getName(), SHOP));
  }

  /** As the agent writes it; or as another component, if one is given. */
  static String event(String name, Pod pod, String component) {
    return """
    {"apiVersion": "v1", "kind": "Event", "metadata": {"name": "%s", "namespace": "%s"},
     "involvedObject": {"apiVersion": "v1", "kind": "Pod", "namespace": "%s", "name": "%s", "uid": "%s"},
     "type": "Warning", "reason": "Unhealthy", "message": "m", "count": 1,
     "source": {"component": "probelet", "host": "%s"},
     "reportingComponent": "%s", "reportingInstance": "%s"}\
    """
        .formatted(
            name,
            SHOP,
            SHOP,
            pod.getMetadata().getName(),
            pod.getMetadata().getUid(),
            HERE,
            component.isEmpty() ? "probelet" : component,
            HERE);
  }

  static String nodeEvent(String node) {
    return """
    {"apiVersion": "v1", "kind": "Event", "metadata": {"name": "n", "namespace": "default"},
     "involvedObject": {"apiVersion": "v1", "kind": "Node", "name": "%s", "uid": "%s"},
     "type": "Warning", "reason": "OOMKilling", "message": "m", "count": 1,
     "source": {"component": "kernel-monitor", "host": "%s"},
     "reportingComponent": "probelet", "reportingInstance": "%s"}\
    """
        .formatted(node, node, HERE, HERE);
  }

  static void say(KubernetesClient client, String event) {
    String namespace = event.contains("\"kind\": \"Node\"") ? "default" : SHOP;
    client.raw("/api/v1/namespaces/" + namespace + "/events", "POST", event);
  }

  static Lease lease(String namespace, String name) {
    return new LeaseBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(namespace)
        .endMetadata()
        .withNewSpec()
        .withHolderIdentity(name)
        .endSpec()
        .build();
  }

  static void renew(KubernetesClient client, String namespace, String name) {
    client.resource(lease(namespace, name)).forceConflicts().serverSideApply();
  }
}
