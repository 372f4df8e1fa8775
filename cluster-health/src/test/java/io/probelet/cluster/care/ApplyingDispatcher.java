package io.probelet.cluster.care;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.server.mock.KubernetesMixedDispatcher;
import io.fabric8.mockwebserver.ServerRequest;
import io.fabric8.mockwebserver.ServerResponse;
import io.fabric8.mockwebserver.dsl.HttpMethod;
import io.fabric8.mockwebserver.http.Buffer;
import io.fabric8.mockwebserver.http.Headers;
import io.fabric8.mockwebserver.http.MockResponse;
import io.fabric8.mockwebserver.http.RecordedRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Queue;

/**
 * The mock server with as much of server-side apply as one applier of a status needs: entries of
 * lists are known by their type, and nothing anybody else wrote goes. Who owns what is not kept, so
 * nothing that the applier leaves out goes either; the suite against a real server sees to that.
 */
final class ApplyingDispatcher extends KubernetesMixedDispatcher {
  private static final ObjectMapper JSON = new ObjectMapper();

  ApplyingDispatcher(Map<ServerRequest, Queue<ServerResponse>> responses) {
    super(responses);
  }

  @Override
  public MockResponse dispatch(RecordedRequest request) {
    if (!"application/apply-patch+yaml".equals(request.getHeader("Content-Type"))) {
      return super.dispatch(request);
    }
    String path = request.getPath().replaceFirst("\\?.*", "");
    try {
      MockResponse found =
          super.dispatch(request(HttpMethod.GET, path.replaceFirst("/status$", ""), new Buffer()));
      JsonNode object = JSON.readTree(found.getBody().getBytes());
      JsonNode applied = JSON.readTree(request.getUtf8Body());
      ArrayNode patch = JSON.createArrayNode();
      patch
          .addObject()
          .put("op", "replace")
          .put("path", "/metadata/resourceVersion")
          .set("value", applied.at("/metadata/resourceVersion"));
      patch
          .addObject()
          .put("op", "add")
          .put("path", "/status")
          .set("value", merged(object.path("status"), applied.path("status")));
      return super.dispatch(
          request(HttpMethod.PATCH, path, new Buffer(JSON.writeValueAsBytes(patch))));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static RecordedRequest request(HttpMethod method, String path, Buffer body) {
    return new RecordedRequest(
        "HTTP/1.1",
        method,
        path,
        Headers.builder().add("Content-Type", "application/json-patch+json").build(),
        body);
  }

  private static JsonNode merged(JsonNode before, JsonNode applied) {
    ObjectNode merged = before.isObject() ? before.deepCopy() : JSON.createObjectNode();
    applied
        .properties()
        .forEach(field -> {
          JsonNode list = merged.path(field.getKey());
          boolean byType = field.getValue().path(0).has("type") && list.isArray();
          merged.set(field.getKey(), byType ? byType(list, field.getValue()) : field.getValue());
        });
    return merged;
  }

  private static ArrayNode byType(JsonNode before, JsonNode applied) {
    ArrayNode merged = before.deepCopy();
    for (JsonNode entry : applied) {
      int place = 0;
      while (place < merged.size() && !merged.get(place).get("type").equals(entry.get("type"))) {
        place++;
      }
      if (place < merged.size()) {
        merged.set(place, entry);
      } else {
        merged.add(entry);
      }
    }
    return merged;
  }
}
