package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.kube.Metadata;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.NodeLease;
import io.probelet.nodehealth.remediation.ObservedRemediation;
import io.probelet.nodehealth.remediation.RemediationIndex;
import io.probelet.nodehealth.remediation.TemplateLookup.Template;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.wire.RemediationJson;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.pcollections.PMap;
import org.pcollections.TreePMap;

/**
 * A cache of the cluster: the state from watches, or our own newer writes. It returns immutable
 * values for plans. Used only on the loop's thread.
 */
final class ClusterCache {
  private static final String TEMPLATE = "Template";

  private final Map<String, NodeFacts> nodes = new HashMap<>();
  private RemediationIndex remediations = RemediationIndex.EMPTY;
  private final Map<ObjectRef, Template> templates = new HashMap<>();
  private TreePMap<String, NodeLease> leases = TreePMap.empty();
  private final Map<String, String> leaseUids = new HashMap<>();
  private final Expectations expected = new Expectations();

  Collection<NodeFacts> nodes() {
    return nodes.values();
  }

  @Nullable NodeFacts node(String name) {
    return nodes.get(name);
  }

  RemediationIndex remediations() {
    return remediations;
  }

  PMap<String, NodeLease> leases() {
    return leases;
  }

  Optional<Template> template(ObjectRef ref) {
    return Optional.ofNullable(templates.get(ref));
  }

  /** {@return whether anything changed that affects plans} */
  boolean observe(NodeFacts node) {
    return !node.equals(nodes.put(node.name(), node));
  }

  /** {@return whether it was exactly the cached node} */
  boolean nodeGone(String name, String uid) {
    NodeFacts known = nodes.get(name);
    return known != null && known.uid().equals(uid) && nodes.remove(name, known);
  }

  /**
   * Applies a remediation, template or lease from a watch.
   *
   * @return whether anything changed that affects plans
   */
  boolean observe(JsonNode object) {
    return expected.isNews(Metadata.uid(object), Metadata.version(object)) && put(object);
  }

  /** Applies the deletion of such an object from a watch. */
  void observeEnd(JsonNode object) {
    expected.sawEnd(Metadata.uid(object));
    remove(object);
  }

  /** Applies such an object from a response to our own request. */
  void wrote(JsonNode object) {
    if (expected.wrote(Metadata.uid(object), Metadata.version(object))) {
      put(object);
    }
  }

  /** Applies the deletion of such an object that we deleted or found missing. */
  void remediationGone(String uid) {
    expected.deleted(uid);
    remediations = remediations.without(uid);
  }

  void leaseGone(String name) {
    String uid = leaseUids.remove(name);
    if (uid != null) {
      expected.deleted(uid);
    }
    leases = leases.minus(name);
  }

  /** Removes all objects of a kind. */
  void forget(Kind.Name kind) {
    templates.keySet().removeIf(ref -> isOf(ref, kind));
    for (ObservedRemediation remediation : remediations.all()) {
      if (isOf(remediation.ref(), kind)) {
        remediations = remediations.without(remediation.uid());
      }
    }
  }

  private static boolean isOf(ObjectRef ref, Kind.Name kind) {
    return ref.kind().equals(kind.kind()) && ref.apiVersion().equals(kind.apiVersion());
  }

  static boolean isTemplate(ObjectRef ref) {
    return ref.kind().endsWith(TEMPLATE);
  }

  private boolean put(JsonNode object) {
    ObjectRef ref = RemediationJson.ref(object);
    if (isLease(ref)) {
      NodeLease lease = RemediationJson.readLease(object);
      NodeLease before = leases.get(lease.name());
      leaseUids.put(lease.name(), Metadata.uid(object));
      leases = leases.plus(lease.name(), lease);
      return !lease.equals(before);
    }
    if (isTemplate(ref)) {
      Template template = RemediationJson.readTemplate(object);
      return !template.equals(templates.put(ref, template));
    }
    RemediationIndex before = remediations;
    remediations = before.with(RemediationJson.read(object));
    return remediations != before;
  }

  private void remove(JsonNode object) {
    ObjectRef ref = RemediationJson.ref(object);
    String uid = Metadata.uid(object);
    if (isLease(ref)) {
      if (Objects.equals(leaseUids.get(ref.name()), uid)) {
        leaseUids.remove(ref.name());
        leases = leases.minus(ref.name());
      }
    } else if (isTemplate(ref)) {
      templates.remove(ref);
    } else {
      remediations = remediations.without(uid);
    }
  }

  private static boolean isLease(ObjectRef ref) {
    return ref.apiVersion().equals(RemediationJson.LEASE_API_VERSION) && ref.kind().equals("Lease");
  }
}
