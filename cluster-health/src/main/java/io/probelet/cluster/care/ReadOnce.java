package io.probelet.cluster.care;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What several parts of a round need: read when the first of them asks, and not again. That it
 * could not be read is said to all of them, too. For one thread.
 */
final class ReadOnce<T> {
  private final Supplier<T> reading;
  private @Nullable T value;
  private @Nullable KubernetesClientException failure;

  ReadOnce(Supplier<T> reading) {
    this.reading = reading;
  }

  /** {@return what was read} */
  T get() throws KubernetesClientException {
    if (failure != null) {
      throw failure;
    }
    if (value == null) {
      try {
        value = Objects.requireNonNull(reading.get());
      } catch (KubernetesClientException refused) {
        failure = refused;
        throw refused;
      }
    }
    return value;
  }
}
