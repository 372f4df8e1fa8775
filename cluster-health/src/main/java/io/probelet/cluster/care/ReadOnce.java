package io.probelet.cluster.care;

import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Data that several parts of a round need. It is read at the first request and then reused, also if
 * reading failed. For one thread.
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
