package io.probelet.web.http;

import io.probelet.web.http.Resource.Answer;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whom a server answers at all: asked for each request before its path is sought, so that those it
 * turns away do not learn what there is. Called on event loops, by several at once; must not block.
 */
@FunctionalInterface
public interface Gate {
  /** Lets everybody in. */
  Gate OPEN = _ -> Optional.empty();

  /**
   * Decides about a request.
   *
   * @return what is said in place of its resource, at most a few kilobytes; empty if it may go on
   */
  Optional<Answer> stop(Head head);

  /**
   * What a request says before its content. All of it is the client's choice, and bounded by the
   * server's limit for headers.
   *
   * @param query the decoded parameters, each with its values in order
   * @param origins the values of its Sec-Fetch-Site headers: whose page made the browser ask
   */
  record Head(
      String path, Map<String, List<String>> query, List<String> cookies, List<String> origins) {}
}
