package io.probelet.web.http;

import io.probelet.web.http.Resource.Answer;
import java.net.InetAddress;
import java.util.List;

/**
 * Answers GET on one path for authorized clients. Called on virtual threads, by several at once,
 * and may block.
 */
@FunctionalInterface
public non-sealed interface GuardedResource extends Route {
  /**
   * Answers a request, or says why not.
   *
   * @param authorization the values of its Authorization headers, possibly none
   * @throws Exception if there is none; the client gets status 500
   */
  Answer get(InetAddress client, List<String> authorization) throws Exception;

  @Override
  default List<String> methods() {
    return List.of("GET", "HEAD");
  }
}
