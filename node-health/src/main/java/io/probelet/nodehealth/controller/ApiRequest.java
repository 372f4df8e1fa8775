package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiServer;

/**
 * A request to the API server, as a value.
 *
 * @param method what to do
 * @param path with which object; to create, in which collection
 * @param body what is sent; missing for a request that only reads
 */
record ApiRequest(Method method, String path, JsonNode body) {
  /** What to do. */
  enum Method {
    GET,
    CREATE,
    REPLACE,
    MERGE_PATCH,
    JSON_PATCH,
    DELETE
  }

  static ApiRequest get(String path) {
    return new ApiRequest(Method.GET, path, MissingNode.getInstance());
  }

  static ApiRequest create(String collection, JsonNode object) {
    return new ApiRequest(Method.CREATE, collection, object);
  }

  /** Sends it once, and waits for what comes of it. */
  ApiResult send(ApiServer api) {
    return switch (method) {
      case GET -> api.get(path);
      case CREATE -> api.create(path, body);
      case REPLACE -> api.replace(path, body);
      case MERGE_PATCH -> api.patch(path, ApiServer.MERGE_PATCH, body);
      case JSON_PATCH -> api.patch(path, ApiServer.JSON_PATCH, body);
      case DELETE -> api.delete(path, body);
    };
  }
}
