package io.probelet.checks;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A kind of object that checks read: one with a model class, or any other by its group, version and
 * plural name.
 *
 * @param <D> what its objects are read as
 */
public final class ObjectKind<D extends HasMetadata> {
  private final String name;
  private final Class<D> type;
  private final Function<KubernetesClient, MixedOperation<D, ?, ? extends Resource<D>>> all;

  private ObjectKind(
      String name,
      Class<D> type,
      Function<KubernetesClient, MixedOperation<D, ?, ? extends Resource<D>>> all) {
    this.name = name;
    this.type = type;
    this.all = all;
  }

  /**
   * {@return a kind with a model class, fabric8's or the author's own}
   *
   * @param type the class
   * @param <D> the class
   */
  public static <D extends HasMetadata> ObjectKind<D> of(Class<D> type) {
    return new ObjectKind<>(HasMetadata.getKind(type), type, client -> client.resources(type));
  }

  /**
   * {@return any kind, whose objects are read as generic resources}
   *
   * @param kind group, version, kind, plural name and scope
   */
  public static ObjectKind<GenericKubernetesResource> of(ResourceDefinitionContext kind) {
    return new ObjectKind<>(
        kind.getKind(),
        GenericKubernetesResource.class,
        client -> client.genericKubernetesResources(kind));
  }

  /** {@return the kind's name, for example {@code Deployment}} */
  public String name() {
    return name;
  }

  @Nullable D get(KubernetesClient client, @Nullable String namespace, String object) {
    return namespace == null
        ? all.apply(client).withName(object).get()
        : all.apply(client).inNamespace(namespace).withName(object).get();
  }

  D cast(HasMetadata object) {
    return type.cast(object);
  }
}
