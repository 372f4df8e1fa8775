package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.kube.Metadata;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.NodeLease;
import io.probelet.nodehealth.remediation.ObservedRemediation;
import io.probelet.nodehealth.remediation.RemediationIndex;
import io.probelet.nodehealth.remediation.Template;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.wire.NodeLeaseJson;
import io.probelet.nodehealth.wire.ObjectJson;
import io.probelet.nodehealth.wire.RemediationJson;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as we know it: what the watches showed, and what we wrote where that is newer. Lives
 * on the loop's thread.
 */
final class Mirror {
  private static final String TEMPLATE = "Template";

  private final Map<String, NodeFacts> nodes = new HashMap<>();
  private final RemediationIndex remediations = new RemediationIndex();
  private final Map<ObjectRef, Template> templates = new HashMap<>();
  private final Map<String, NodeLease> leases = new HashMap<>();
  private final Map<String, String> leaseUids = new HashMap<>();
  private final Versions versions = new Versions();

  Collection<NodeFacts> nodes() {
    return nodes.values();
  }

  @Nullable NodeFacts node(String name) {
    return nodes.get(name);
  }

  RemediationIndex remediations() {
    return remediations;
  }

  Map<String, NodeLease> leases() {
    return Collections.unmodifiableMap(leases);
  }

  Optional<Template> template(ObjectRef ref) {
    return Optional.ofNullable(templates.get(ref));
  }

  /** {@return whether anything changed that a plan could look at} */
  boolean see(NodeFacts node) {
    return !node.equals(nodes.put(node.name(), node));
  }

  /** {@return whether it was that very node that we knew} */
  boolean nodeGone(String name, String uid) {
    NodeFacts known = nodes.get(name);
    return known != null && known.uid().equals(uid) && nodes.remove(name, known);
  }

  /**
   * A remediation, a template or a lease, as a watch shows it.
   *
   * @return whether anything changed that a plan could look at
   */
  boolean see(JsonNode object) {
    return versions.isNews(Metadata.uid(object), Metadata.version(object)) && take(object);
  }

  /** One of them that a watch shows no more. */
  void seeEnd(JsonNode object) {
    versions.sawEnd(Metadata.uid(object));
    drop(object);
  }

  /** One of them as the API server answered it to us. */
  void wrote(JsonNode object) {
    versions.wrote(Metadata.uid(object), Metadata.version(object));
    take(object);
  }

  /** One of them that is gone because we deleted it, or found it gone. */
  void remediationGone(String uid) {
    versions.deleted(uid);
    remediations.forget(uid);
  }

  void leaseGone(String name) {
    String uid = leaseUids.remove(name);
    if (uid != null) {
      versions.deleted(uid);
    }
    leases.remove(name);
  }

  /** A kind of which nothing is known any more. */
  void forget(Kind.Name kind) {
    templates.keySet().removeIf(ref -> isOf(ref, kind));
    for (ObservedRemediation remediation : List.copyOf(remediations.all())) {
      if (isOf(remediation.ref(), kind)) {
        remediations.forget(remediation.uid());
      }
    }
  }

  private static boolean isOf(ObjectRef ref, Kind.Name kind) {
    return ref.kind().equals(kind.kind()) && ref.apiVersion().equals(kind.apiVersion());
  }

  private boolean take(JsonNode object) {
    ObjectRef ref = ObjectJson.ref(object);
    if (isLease(ref)) {
      NodeLease lease = NodeLeaseJson.read(object);
      leaseUids.put(lease.name(), Metadata.uid(object));
      return !lease.equals(leases.put(lease.name(), lease));
    }
    if (ref.kind().endsWith(TEMPLATE)) {
      Template template = RemediationJson.readTemplate(object);
      return !template.equals(templates.put(ref, template));
    }
    return remediations.observe(RemediationJson.read(object));
  }

  private void drop(JsonNode object) {
    ObjectRef ref = ObjectJson.ref(object);
    String uid = Metadata.uid(object);
    if (isLease(ref)) {
      if (Objects.equals(leaseUids.get(ref.name()), uid)) {
        leaseUids.remove(ref.name());
        leases.remove(ref.name());
      }
    } else if (ref.kind().endsWith(TEMPLATE)) {
      templates.remove(ref);
    } else {
      remediations.forget(uid);
    }
  }

  private static boolean isLease(ObjectRef ref) {
    return ref.apiVersion().equals(NodeLeaseJson.API_VERSION) && ref.kind().equals("Lease");
  }
}
