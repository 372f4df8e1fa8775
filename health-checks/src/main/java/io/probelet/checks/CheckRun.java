package io.probelet.checks;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * What a check is handed: one object at one moment, and the clients it asks for (CH-4).
 *
 * @param <T> the kind of resource
 */
public interface CheckRun<T> {

  /** {@return the object as last seen; not to be changed} */
  T object();

  /**
   * {@return the logger of this check: {@code io.probelet.checks.<Kind>.<condition type>}, with
   * {@code .2} and so on for further checks of the same condition type. Each check can so have a
   * level of its own}
   */
  Logger logger();

  /** {@return the client for the cluster that holds the object} */
  KubernetesClient source();

  /**
   * {@return the client for the cluster the object represents; the source's where none was
   * registered}
   *
   * @throws TargetUnavailableException if it could not be built; only checks that ask for it fail
   */
  KubernetesClient target();

  /**
   * {@return another object; read once for all checks that ask for it within a second, so that what
   * many objects stand on is not asked for by each of them}
   *
   * @param client {@link #source()} or {@link #target()}
   * @param kind what it is
   * @param namespace where it is; null for a cluster-scoped kind
   * @param name how it is called
   * @param <D> what it is read as
   * @throws io.fabric8.kubernetes.client.KubernetesClientException if it could not be read
   * @throws InterruptedException if the check's time is over meanwhile
   */
  <D extends HasMetadata> Optional<D> find(
      KubernetesClient client, ObjectKind<D> kind, @Nullable String namespace, String name)
      throws InterruptedException;
}
