package io.probelet.checks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The only place that reads and writes the watched kind. It reads untyped objects: a model class
 * may drop fields, and a status written from one would delete what other controllers wrote.
 */
final class ResourceAccess<T extends HasMetadata> {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final PatchContext PATCH = PatchContext.of(PatchType.JSON);

  private final ResourceDefinitionContext kind;
  private final Class<T> type;

  private ResourceAccess(ResourceDefinitionContext kind, Class<T> type) {
    this.kind = kind;
    this.type = type;
  }

  static <T extends HasMetadata> ResourceAccess<T> typed(Class<T> kind) {
    return new ResourceAccess<>(ResourceDefinitionContext.fromResourceType(kind), kind);
  }

  static ResourceAccess<GenericKubernetesResource> generic(ResourceDefinitionContext kind) {
    return new ResourceAccess<>(kind, GenericKubernetesResource.class);
  }

  String kind() {
    return kind.getKind();
  }

  SharedIndexInformer<GenericKubernetesResource> watch(
      KubernetesClient client,
      @Nullable String namespace,
      Map<String, String> labels,
      ResourceEventHandler<GenericKubernetesResource> events) {
    var all = all(client);
    return namespace == null
        ? all.inAnyNamespace().withLabels(labels).inform(events)
        : all.inNamespace(namespace).withLabels(labels).inform(events);
  }

  /**
   * {@return the object as its model class}
   *
   * @throws IllegalArgumentException if the class cannot hold it
   */
  T typed(KubernetesClient client, GenericKubernetesResource object) {
    return type.isInstance(object)
        ? type.cast(object)
        : client.getKubernetesSerialization().convertValue(object, type);
  }

  /** {@return the newest version of an object, null if it is gone} */
  @Nullable GenericKubernetesResource read(
      KubernetesClient client, GenericKubernetesResource object) {
    String namespace = object.getMetadata().getNamespace();
    String name = object.getMetadata().getName();
    return namespace == null
        ? all(client).withName(name).get()
        : all(client).inNamespace(namespace).withName(name).get();
  }

  /**
   * Writes the conditions, and nothing else, if the object still is the version they were computed
   * from: a patch that names another version is refused as a conflict.
   *
   * @return the object as the API server stored it
   */
  GenericKubernetesResource patchConditions(
      KubernetesClient client, GenericKubernetesResource object, List<JsonNode> conditions) {
    ArrayNode patch = JSON.createArrayNode();
    patch
        .addObject()
        .put("op", "replace")
        .put("path", "/metadata/resourceVersion")
        .put("value", object.getMetadata().getResourceVersion());
    if (object.getAdditionalProperties().get("status") == null) {
      patch.addObject().put("op", "add").put("path", "/status").putObject("value");
    }
    patch
        .addObject()
        .put("op", "add")
        .put("path", "/status/conditions")
        .putArray("value")
        .addAll(conditions);
    return all(client)
        .resource(object) // by the object, not by its name: the client would read it first
        .subresource("status")
        .patch(PATCH, patch.toString());
  }

  /**
   * {@return the object's conditions, missing if it has none}
   *
   * @throws IllegalStateException if its status has another form, which a write would destroy
   */
  static JsonNode conditions(GenericKubernetesResource object) {
    JsonNode status = status(object);
    if (!isAbsent(status) && !status.isObject()) {
      throw new IllegalStateException("status is not an object and is not written");
    }
    JsonNode conditions = status.path("conditions");
    if (!isAbsent(conditions) && !conditions.isArray()) {
      throw new IllegalStateException("status.conditions is not a list and is not written");
    }
    return conditions;
  }

  static boolean hasSpecType(GenericKubernetesResource object, String type) {
    JsonNode spec = JSON.valueToTree(object.getAdditionalProperties().get("spec"));
    return spec.path("type").isTextual() && spec.path("type").asText().equals(type);
  }

  private static JsonNode status(GenericKubernetesResource object) {
    return JSON.valueToTree(object.getAdditionalProperties().get("status"));
  }

  private static boolean isAbsent(JsonNode node) {
    return node.isMissingNode() || node.isNull();
  }

  private MixedOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      all(KubernetesClient client) {
    return client.genericKubernetesResources(kind);
  }
}
