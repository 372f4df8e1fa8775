package io.probelet.checks;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * The input of a check: one object as last seen, and clients for its cluster (CH-4).
 *
 * @param <T> the kind of resource
 */
public interface CheckRun<T> {

  /** {@return the object as last seen; do not modify it} */
  T object();

  /**
   * {@return the logger of this check: {@code io.probelet.checks.<Kind>.<condition type>}, with
   * {@code .2} and so on for further checks of the same condition type. So each check can have its
   * own log level}
   */
  Logger logger();

  /** {@return the client for the cluster that holds the object} */
  KubernetesClient source();

  /**
   * {@return the client for the cluster that the object represents; {@link #source()} if no target
   * was registered}
   *
   * @throws TargetUnavailableException if the client could not be built; only checks that call this
   *     method fail
   */
  KubernetesClient target();

  /**
   * {@return another object, or empty if it does not exist. The result is cached for one second, so
   * that checks which depend on the same object share one request}
   *
   * @param client {@link #source()} or {@link #target()}
   * @param kind its kind
   * @param namespace its namespace; null for a cluster-scoped kind
   * @param name its name
   * @param <D> the class that it is read as
   * @throws io.fabric8.kubernetes.client.KubernetesClientException if it could not be read
   * @throws InterruptedException if the check runs out of time
   */
  <D extends HasMetadata> Optional<D> find(
      KubernetesClient client, ObjectKind<D> kind, @Nullable String namespace, String name)
      throws InterruptedException;
}
