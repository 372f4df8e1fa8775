package io.probelet.kube.watch;

import io.probelet.kube.ApiResult;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * An object as the server sent it, which can be read once, as one of these.
 *
 * @param <T> what is kept of one
 */
interface SentObject<T> {
  /**
   * {@return it, if it is of the kind that is followed; null if it is to be passed over}
   *
   * @throws IOException if it is not
   */
  @Nullable Item<T> item() throws IOException;

  /**
   * {@return the version of the last change before a bookmark; empty if it names none}
   *
   * @throws IOException if it is no object
   */
  String version() throws IOException;

  /**
   * {@return what a Status says in place of an event}
   *
   * @throws IOException if it is no object
   */
  ApiResult failure() throws IOException;
}
