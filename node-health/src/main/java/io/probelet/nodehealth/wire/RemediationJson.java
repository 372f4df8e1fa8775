package io.probelet.nodehealth.wire;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.Metadata;
import io.probelet.kube.WireTime;
import io.probelet.nodehealth.remediation.ObservedRemediation;
import io.probelet.nodehealth.remediation.ObservedRemediation.Success;
import io.probelet.nodehealth.remediation.RemediationDraft;
import io.probelet.nodehealth.remediation.TemplateLookup.Template;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Remediations and their templates. */
public final class RemediationJson {
  private RemediationJson() {}

  /**
   * Reads a remediation.
   *
   * @param object the resource, of any kind
   * @return what a plan needs of it
   */
  public static ObservedRemediation read(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    return new ObservedRemediation(
        ObjectJson.ref(object),
        Metadata.uid(object),
        Objects.requireNonNullElse(
            WireTime.read(metadata.path("creationTimestamp")), Instant.EPOCH),
        metadata.hasNonNull("deletionTimestamp"),
        ObjectJson.texts(metadata.path("labels")),
        ObjectJson.texts(metadata.path("annotations")),
        ObjectJson.owners(object),
        success(object),
        ObjectJson.condition(object, "PermanentNodeDeletionExpected").equals("True"));
  }

  /**
   * Reads a template.
   *
   * @param object the resource, of any kind
   * @return what a plan needs of it
   */
  public static Template readTemplate(JsonNode object) {
    JsonNode template = object.at("/spec/template");
    JsonNode spec = template.path("spec");
    return new Template(
        template.isObject(),
        spec.isObject() ? spec : null,
        object.path("metadata").path("annotations").has(WireNames.MULTIPLE_TEMPLATES));
  }

  /**
   * Writes a new remediation.
   *
   * @param draft what to create
   * @return the resource
   */
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
    ObjectJson.writeOwners(metadata, draft.owners());
    if (draft.spec() != null) {
      object.set("spec", draft.spec());
    }
    return object;
  }

  private static Success success(JsonNode object) {
    return switch (ObjectJson.condition(object, "Succeeded")) {
      case "True" -> Success.YES;
      case "False" -> Success.NO;
      default -> Success.UNKNOWN;
    };
  }

  private static void write(ObjectNode into, Map<String, String> texts) {
    new TreeMap<>(texts).forEach(into::put);
  }
}
