package io.probelet.web.http;

import io.probelet.web.http.Resource.Answer;
import io.probelet.web.http.Resource.BadRequest;
import java.util.List;
import java.util.Map;

/**
 * Lists objects with GET, stores one with PUT and removes one with DELETE, all on one path. Called
 * on virtual threads, by several at once, and may block.
 */
public non-sealed interface ObjectsResource extends Route {
  /**
   * Lists the objects.
   *
   * @param query the decoded parameters, each with its values in order
   * @throws BadRequest if the parameters make no sense
   * @throws Exception if there is no answer; the client gets status 500
   */
  Answer get(Map<String, List<String>> query) throws Exception;

  /**
   * Stores an object; the same object again changes nothing.
   *
   * @param body the object, of at most the server's limit of bytes
   * @throws BadRequest if it cannot be read
   * @throws Exception if there is no answer; the client gets status 500
   */
  Answer put(byte[] body) throws Exception;

  /**
   * Removes an object.
   *
   * @param query the decoded parameters, each with its values in order
   * @throws BadRequest if the parameters make no sense
   * @throws Exception if there is no answer; the client gets status 500
   */
  Answer delete(Map<String, List<String>> query) throws Exception;

  @Override
  default List<String> methods() {
    return List.of("GET", "HEAD", "PUT", "DELETE");
  }
}
