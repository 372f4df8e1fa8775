package io.probelet.web.http;

import io.probelet.web.http.Resource.Answer;
import java.util.List;

/** What answers POST on one path. Called on virtual threads, by several at once, and may block. */
@FunctionalInterface
public non-sealed interface PostResource extends Route {
  /**
   * Answers a request.
   *
   * @throws Exception if there is none; the client gets status 500
   */
  Answer post(byte[] body) throws Exception;

  @Override
  default List<String> methods() {
    return List.of("POST");
  }
}
