package io.probelet.kube.watch;

import io.probelet.kube.ApiResult;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * An object from the server. It can be read once, by one of these methods.
 *
 * @param <T> what is kept of one
 */
interface SentObject<T> {
  /**
   * {@return the object, if it is of the watched kind; null if it must be skipped}
   *
   * @throws IOException if it is not
   */
  @Nullable Item<T> item() throws IOException;

  /**
   * {@return the resource version of a bookmark; empty if it has none}
   *
   * @throws IOException if it is not an object
   */
  String version() throws IOException;

  /**
   * {@return the Status in place of an event}
   *
   * @throws IOException if it is not an object
   */
  ApiResult failure() throws IOException;
}
