package io.probelet.nodehealth.remediation;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.nodehealth.policy.RemediationPolicy;
import io.probelet.nodehealth.remediation.TemplateLookup.Template;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.RemediationStep;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A remediation resource to be created.
 *
 * @param namespace namespace; null if cluster scoped
 * @param name the name; equal for equal node, template and NodeHealthCheck, so that a creation
 *     without a response can be repeated (N-1)
 * @param generateName the name's prefix if the node's name alone is not enough; null if it is
 * @param owners its owners, none of them a controller
 * @param spec its spec from the template; null if the template has none
 */
public record RemediationDraft(
    String apiVersion,
    String kind,
    @Nullable String namespace,
    String name,
    @Nullable String generateName,
    Map<String, String> labels,
    Map<String, String> annotations,
    List<OwnerRef> owners,
    @Nullable JsonNode spec) {
  /** Copies labels, annotations and owners. */
  public RemediationDraft {
    labels = Map.copyOf(labels);
    annotations = Map.copyOf(annotations);
    owners = List.copyOf(owners);
  }

  /** {@return its address} */
  public ObjectRef ref() {
    return new ObjectRef(apiVersion, kind, namespace, name);
  }

  /** {@return whether it is for a node of the control plane } */
  public boolean isForControlPlane() {
    return labels.containsKey(WireNames.CONTROL_PLANE_REMEDIATION);
  }

  /** {@return the first owner whose unique identifier must be read; empty if none} */
  public Optional<OwnerRef> ownerWithoutUid() {
    return owners.stream().filter(owner -> owner.uid().isEmpty()).findFirst();
  }

  /**
   * Completes an owner.
   *
   * @param uid its unique identifier; null if it does not exist, so that it is not an owner
   * @return a copy with it, or without the owner
   */
  public RemediationDraft withOwnerUid(OwnerRef owner, @Nullable String uid) {
    List<OwnerRef> changed = new ArrayList<>(owners);
    if (uid == null) {
      changed.remove(owner);
    } else {
      changed.set(
          changed.indexOf(owner),
          new OwnerRef(owner.apiVersion(), owner.kind(), owner.name(), uid));
    }
    return new RemediationDraft(
        apiVersion, kind, namespace, name, generateName, labels, annotations, changed, spec);
  }

  /** A copy with its time in the policies' histories (ACT-79). */
  RemediationDraft countedAt(Instant time) {
    Map<String, String> changed = new HashMap<>(annotations);
    changed.put(RemediationPolicy.COUNTED, time.toString());
    return new RemediationDraft(
        apiVersion, kind, namespace, name, generateName, labels, changed, owners, spec);
  }

  static RemediationDraft of(
      NodeHealthCheck nhc, NodeFacts node, RemediationStep step, Template template) {
    Map<String, String> labels = new HashMap<>();
    labels.put(WireNames.PART_OF, WireNames.PART_OF_VALUE);
    if (node.isControlPlane()) {
      labels.put(WireNames.CONTROL_PLANE_REMEDIATION, "");
    }
    String namespace = step.template().namespace();
    List<OwnerRef> owners = new ArrayList<>();
    owners.add(OwnerRef.of(nhc));
    NodeFacts.Machine machine = node.machine();
    if (machine != null && namespace != null && namespace.equals(machine.ref().namespace())) {
      owners.add(
          new OwnerRef(
              machine.ref().apiVersion(),
              machine.ref().kind(),
              machine.ref().name(),
              machine.uid()));
    }
    String prefix = template.severalOfItsKind() ? node.name() + "-" : null;
    return new RemediationDraft(
        step.template().apiVersion(),
        step.remediationKind(),
        namespace,
        prefix == null
            ? node.name()
            : StableName.of(prefix, nhc.uid(), node.uid(), step.template()),
        prefix,
        labels,
        Map.of(WireNames.NODE_NAME, node.name(), WireNames.TEMPLATE_NAME, step.template().name()),
        owners,
        template.spec());
  }

  /** a resource with our name, or one for our node and template in any namespace. */
  boolean isBlockedBy(ObservedRemediation other, String node, RemediationStep step) {
    return other.isOfKind(step)
        && (other.belongsTo(node, step)
            || (other.ref().name().equals(name)
                && Objects.equals(other.ref().namespace(), namespace)));
  }

  /**
   * An owner reference.
   *
   * @param apiVersion the owner's group and version
   * @param kind the owner's kind
   * @param name the owner's name
   * @param uid the owner's unique identifier; empty if it must be read before it is written
   */
  public record OwnerRef(String apiVersion, String kind, String name, String uid) {
    static OwnerRef of(NodeHealthCheck owner) {
      return new OwnerRef(
          NodeHealthCheck.API_VERSION, NodeHealthCheck.KIND, owner.name(), owner.uid());
    }

    /** the uid does not count, so that a restored backup still owns its remediations. */
    boolean names(NodeHealthCheck owner) {
      return kind.equals(NodeHealthCheck.KIND)
          && apiVersion.equals(NodeHealthCheck.API_VERSION)
          && name.equals(owner.name());
    }
  }
}
