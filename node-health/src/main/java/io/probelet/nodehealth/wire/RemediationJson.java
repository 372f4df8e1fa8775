package io.probelet.nodehealth.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.Metadata;
import io.probelet.kube.WireTime;
import io.probelet.nodehealth.remediation.NodeLease;
import io.probelet.nodehealth.remediation.NodeLease.LeaseClaim;
import io.probelet.nodehealth.remediation.ObservedRemediation;
import io.probelet.nodehealth.remediation.ObservedRemediation.Success;
import io.probelet.nodehealth.remediation.RemediationDraft;
import io.probelet.nodehealth.remediation.RemediationDraft.OwnerRef;
import io.probelet.nodehealth.remediation.TemplateLookup.Template;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * JSON of remediations, their templates and the leases of nodes, and of their
 * common parts: address, labels, owners, conditions.
 */
public final class RemediationJson {
  /** Group and version of leases. */
  public static final String LEASE_API_VERSION = "coordination.k8s.io/v1";

  private RemediationJson() {}

  /**
   * Reads a remediation.
   *
   * @param object the resource, of any kind
   * @return the parts that plans need
   */
  public static ObservedRemediation read(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    return new ObservedRemediation(
        ref(object),
        Metadata.uid(object),
        Objects.requireNonNullElse(
            WireTime.read(metadata.path("creationTimestamp")), Instant.EPOCH),
        metadata.hasNonNull("deletionTimestamp"),
        texts(metadata.path("labels")),
        texts(metadata.path("annotations")),
        owners(object),
        success(object),
        condition(object, "PermanentNodeDeletionExpected").equals("True"));
  }

  /**
   * Reads a template.
   *
   * @param object the resource, of any kind
   * @return the parts that plans need
   */
  public static Template readTemplate(JsonNode object) {
    JsonNode template = object.at("/spec/template");
    JsonNode spec = template.path("spec");
    return new Template(
        template.isObject(),
        spec.isObject() ? spec : null,
        object.path("metadata").path("annotations").has(WireNames.MULTIPLE_TEMPLATES));
  }

  /** Writes a new remediation. */
  public static ObjectNode write(RemediationDraft draft) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", draft.apiVersion()).put("kind", draft.kind());
    ObjectNode metadata = object.putObject("metadata");
    metadata.put("name", draft.name());
    if (draft.generateName() != null) {
      metadata.put("generateName", draft.generateName());
    }
    if (draft.namespace() != null) {
      metadata.put("namespace", draft.namespace());
    }
    write(metadata.putObject("labels"), draft.labels());
    write(metadata.putObject("annotations"), draft.annotations());
    writeOwners(metadata, draft.owners());
    if (draft.spec() != null) {
      object.set("spec", draft.spec());
    }
    return object;
  }

  private static Success success(JsonNode object) {
    return switch (condition(object, "Succeeded")) {
      case "True" -> Success.YES;
      case "False" -> Success.NO;
      default -> Success.UNKNOWN;
    };
  }

  private static void write(ObjectNode into, Map<String, String> texts) {
    new TreeMap<>(texts).forEach(into::put);
  }

  /**
   * Reads a lease.
   *
   * @return the lease; one without times counts as expired
   */
  public static NodeLease readLease(JsonNode object) {
    JsonNode spec = object.path("spec");
    return new NodeLease(
        object.at("/metadata/name").asText(),
        spec.path("holderIdentity").asText(),
        Objects.requireNonNullElse(WireTime.read(spec.path("acquireTime")), Instant.EPOCH),
        Objects.requireNonNullElse(WireTime.read(spec.path("renewTime")), Instant.EPOCH),
        Duration.ofSeconds(spec.path("leaseDurationSeconds").asLong()),
        spec.path("leaseTransitions").asInt(),
        Metadata.version(object));
  }

  /**
   * Writes a lease.
   *
   * @param node its node, because the lease's name may not contain it
   */
  public static ObjectNode writeLease(LeaseClaim claim, String namespace, String node) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", LEASE_API_VERSION).put("kind", "Lease");
    ObjectNode metadata = object.putObject("metadata");
    metadata.put("name", claim.name()).put("namespace", namespace);
    if (claim.replaces() != null) {
      metadata.put("resourceVersion", claim.replaces());
    }
    writeOwners(metadata, List.of(new OwnerRef("v1", "Node", node, claim.nodeUid())));
    object
        .putObject("spec")
        .put("holderIdentity", claim.holder())
        .put("leaseDurationSeconds", claim.duration().toSeconds())
        .put("acquireTime", WireTime.micros(claim.acquireTime()))
        .put("renewTime", WireTime.micros(claim.renewTime()))
        .put("leaseTransitions", claim.transitions());
    return object;
  }

  /**
   * Reads an object's address.
   *
   * @return its address; missing parts are empty
   */
  public static ObjectRef ref(JsonNode object) {
    return new ObjectRef(
        object.path("apiVersion").asText(),
        object.path("kind").asText(),
        text(object.at("/metadata/namespace")),
        object.at("/metadata/name").asText());
  }

  static @Nullable String text(JsonNode value) {
    return value.isTextual() && !value.textValue().isEmpty() ? value.textValue() : null;
  }

  /**
   * Reads a map of texts, such as labels.
   *
   * @return the texts by name; empty if there is no such object
   */
  public static Map<String, String> texts(JsonNode object) {
    Map<String, String> texts = HashMap.newHashMap(object.size());
    object.properties().forEach(field -> texts.put(field.getKey(), field.getValue().asText()));
    return texts;
  }

  /** {@return the owners of an object, in its order} */
  public static List<OwnerRef> owners(JsonNode object) {
    List<OwnerRef> owners = new ArrayList<>();
    for (JsonNode owner : object.at("/metadata/ownerReferences")) {
      owners.add(
          new OwnerRef(
              owner.path("apiVersion").asText(),
              owner.path("kind").asText(),
              owner.path("name").asText(),
              owner.path("uid").asText()));
    }
    return owners;
  }

  /** neither a controller nor blocking its owner's deletion. */
  static void writeOwners(ObjectNode metadata, List<OwnerRef> owners) {
    ArrayNode array = metadata.putArray("ownerReferences");
    for (OwnerRef owner : owners) {
      array
          .addObject()
          .put("apiVersion", owner.apiVersion())
          .put("kind", owner.kind())
          .put("name", owner.name())
          .put("uid", owner.uid())
          .put("controller", false);
    }
  }

  /** {@return the status of a condition, empty if the object does not have it} */
  static String condition(JsonNode object, String type) {
    for (JsonNode condition : object.at("/status/conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition.path("status").asText();
      }
    }
    return "";
  }
}
