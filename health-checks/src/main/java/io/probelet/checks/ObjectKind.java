package io.probelet.checks;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A kind of object that checks read, given by its model class or by group, version and plural name.
 *
 * @param <D> the class that its objects are read as
 */
public final class ObjectKind<D extends HasMetadata> {
  private final ResourceDefinitionContext kind;
  private final Class<D> type;

  private ObjectKind(ResourceDefinitionContext kind, Class<D> type) {
    this.kind = kind;
    this.type = type;
  }

  /**
   * {@return a kind with a model class, fabric8's or the author's own}
   *
   * @param type the class
   * @param <D> the class
   */
  public static <D extends HasMetadata> ObjectKind<D> of(Class<D> type) {
    return new ObjectKind<>(ResourceDefinitionContext.fromResourceType(type), type);
  }

  /**
   * {@return any kind, whose objects are read as generic resources}
   *
   * @param kind group, version, kind, plural name and scope
   */
  public static ObjectKind<GenericKubernetesResource> of(ResourceDefinitionContext kind) {
    return new ObjectKind<>(kind, GenericKubernetesResource.class);
  }

  /** {@return the kind's name, for example {@code Deployment}} */
  public String name() {
    return kind.getKind();
  }

  /** {@return the same kind, read untyped so that no field is lost} */
  ObjectKind<GenericKubernetesResource> untyped() {
    return of(kind);
  }

  /** {@return what identifies this kind, whichever class its objects are read as} */
  List<@Nullable String> key() {
    return Arrays.asList(kind.getGroup(), kind.getVersion(), kind.getPlural());
  }

  @Nullable GenericKubernetesResource get(
      KubernetesClient client, @Nullable String namespace, String object) {
    var all = client.genericKubernetesResources(kind);
    return namespace == null
        ? all.withName(object).get()
        : all.inNamespace(namespace).withName(object).get();
  }

  /** {@return the object as the class} */
  D typed(KubernetesClient client, GenericKubernetesResource object) {
    return type.isInstance(object)
        ? type.cast(object)
        : client.getKubernetesSerialization().convertValue(object, type);
  }
}
