package io.probelet.cluster;

import io.fabric8.kubernetes.client.KubernetesClient;

/**
 * What a check is handed: one object at one moment, and the clients it asks for (CH-4).
 *
 * @param <T> the kind of resource
 */
public interface CheckRun<T> {

  /** {@return the object as last seen; not to be changed} */
  T object();

  /** {@return the client for the cluster that holds the object} */
  KubernetesClient source();

  /**
   * {@return the client for the cluster the object stands for; the source's where none was
   * registered}
   *
   * @throws TargetUnavailableException if it could not be built; only checks that ask for it fail
   */
  KubernetesClient target();
}
