package io.probelet.checks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
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
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The only place that speaks to the API server about the watched kind. */
final class ResourceAccess<T extends HasMetadata> {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final PatchContext PATCH = PatchContext.of(PatchType.JSON);

  private final Function<KubernetesClient, MixedOperation<T, ?, ? extends Resource<T>>> operation;

  private ResourceAccess(
      Function<KubernetesClient, MixedOperation<T, ?, ? extends Resource<T>>> operation) {
    this.operation = operation;
  }

  static <T extends HasMetadata> ResourceAccess<T> typed(Class<T> kind) {
    return new ResourceAccess<>(client -> client.resources(kind));
  }

  static ResourceAccess<GenericKubernetesResource> generic(ResourceDefinitionContext kind) {
    return new ResourceAccess<>(client -> client.genericKubernetesResources(kind));
  }

  SharedIndexInformer<T> watch(
      KubernetesClient client,
      @Nullable String namespace,
      Map<String, String> labels,
      ResourceEventHandler<T> events) {
    MixedOperation<T, ?, ? extends Resource<T>> all = operation.apply(client);
    return namespace == null
        ? all.inAnyNamespace().withLabels(labels).inform(events)
        : all.inNamespace(namespace).withLabels(labels).inform(events);
  }

  /** {@return the newest version of an object, null if it is gone} */
  @Nullable T read(KubernetesClient client, T object) {
    return resource(client, object).get();
  }

  /**
   * Writes the conditions, and nothing else, if the object still is the version they were computed
   * from: a patch that names another version is refused as a conflict.
   */
  void patchConditions(KubernetesClient client, T object, List<JsonNode> conditions) {
    ArrayNode patch = JSON.createArrayNode();
    patch
        .addObject()
        .put("op", "replace")
        .put("path", "/metadata/resourceVersion")
        .put("value", object.getMetadata().getResourceVersion());
    if (!JSON.<JsonNode>valueToTree(object).path("status").isObject()) {
      patch.addObject().put("op", "add").put("path", "/status").putObject("value");
    }
    patch
        .addObject()
        .put("op", "add")
        .put("path", "/status/conditions")
        .putArray("value")
        .addAll(conditions);
    operation
        .apply(client)
        .resource(object) // by the object, not by its name: the client would read it first
        .subresource("status")
        .patch(PATCH, patch.toString());
  }

  JsonNode conditions(T object) {
    return JSON.<JsonNode>valueToTree(object).at("/status/conditions");
  }

  @Nullable String specType(T object) {
    JsonNode type = JSON.<JsonNode>valueToTree(object).at("/spec/type");
    return type.isTextual() ? type.asText() : null;
  }

  private Resource<T> resource(KubernetesClient client, T object) {
    String namespace = object.getMetadata().getNamespace();
    String name = object.getMetadata().getName();
    return namespace == null
        ? operation.apply(client).withName(name)
        : operation.apply(client).inNamespace(namespace).withName(name);
  }
}
