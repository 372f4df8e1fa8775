package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.node.TextNode;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.NodeFacts.Machine;
import io.probelet.nodehealth.remediation.NodeFacts.NodeCondition;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.WireNames;
import io.probelet.nodehealth.wire.WireTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Takes from nodes what plans need, and keeps each text once however many nodes have it. */
final class NodeReader {
  private static final String OPENSHIFT_MACHINE = "machine.openshift.io/machine";
  private static final String CLUSTER_API_MACHINE = "cluster.x-k8s.io/machine";
  private static final String CLUSTER_API_NAMESPACE = "cluster.x-k8s.io/cluster-namespace";
  private static final int MOST_TEXTS = 20_000;

  private final Map<String, String> texts = new ConcurrentHashMap<>();

  NodeFacts read(NodeObject node) {
    ObjectMeta metadata = node.getMetadata();
    Map<String, String> annotations = orEmpty(metadata.getAnnotations());
    Map<String, String> labels = new HashMap<>();
    orEmpty(metadata.getLabels())
        .forEach((key, value) -> labels.put(once(key), value == null ? "" : once(value)));
    List<NodeCondition> conditions = new ArrayList<>();
    NodeObject.Status status = node.getStatus();
    if (status != null) {
      for (NodeObject.Condition condition : status.getConditions()) {
        conditions.add(
            new NodeCondition(
                once(condition.type()),
                once(condition.status()),
                moment(condition.lastTransitionTime())));
      }
    }
    return new NodeFacts(
        metadata.getName(),
        metadata.getUid() == null ? "" : metadata.getUid(),
        moment(metadata.getCreationTimestamp()),
        labels,
        conditions,
        annotations.containsKey(WireNames.CONFIRMED_HEALTHY),
        machine(annotations));
  }

  /** OpenShift's machine, or Cluster API's. */
  private static @Nullable Machine machine(Map<String, String> annotations) {
    String openshift = annotations.get(OPENSHIFT_MACHINE);
    if (openshift != null) {
      int slash = openshift.indexOf('/');
      return slash < 0
          ? null
          : machine(
              "machine.openshift.io/v1beta1",
              openshift.substring(0, slash),
              openshift.substring(slash + 1));
    }
    String name = annotations.get(CLUSTER_API_MACHINE);
    String namespace = annotations.get(CLUSTER_API_NAMESPACE);
    return name == null || namespace == null
        ? null
        : machine("cluster.x-k8s.io/v1beta1", namespace, name);
  }

  private static Machine machine(String apiVersion, String namespace, String name) {
    return new Machine(new ObjectRef(apiVersion, "Machine", namespace, name), "");
  }

  private String once(String text) {
    if (texts.size() > MOST_TEXTS) {
      texts.clear();
    }
    String known = texts.putIfAbsent(text, text);
    return known == null ? text : known;
  }

  private static Instant moment(@Nullable String text) {
    Instant moment = text == null ? null : WireTime.read(TextNode.valueOf(text));
    return moment == null ? Instant.EPOCH : moment;
  }

  private static Map<String, String> orEmpty(@Nullable Map<String, String> map) {
    return map == null ? Map.of() : map;
  }
}
