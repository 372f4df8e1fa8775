package io.probelet.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.simulation.api.ApiWrite;
import io.probelet.simulation.api.ObjectFields;
import io.probelet.simulation.api.SimulatedApiServer;
import io.probelet.simulation.rules.WorldEvent.Written;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Finds the path of the object that a write changes. The path of the request has a subresource, or
 * lacks the name, or is missing where the control plane itself writes.
 */
final class WriteReader {
  private final Map<String, String> paths = new HashMap<>();

  Written read(long at, ApiWrite write) {
    JsonNode object = write.after() == null ? write.before() : write.after();
    String uid = object == null ? "" : ObjectFields.uid(object);
    String name = object == null ? "" : ObjectFields.name(object);
    String path = paths.get(uid);
    if (path == null) {
      path = path(write.path(), name);
      paths.put(uid, path);
    }
    return new Written(at, write.process(), write.verb(), path, write.before(), write.after());
  }

  /** {@return all objects that a server has after it was restored, by path} */
  Map<String, JsonNode> objects(SimulatedApiServer server) {
    Map<String, JsonNode> objects = new TreeMap<>();
    for (String path : paths.values()) {
      JsonNode object = server.get(path);
      if (!object.isMissingNode()) {
        objects.put(path, object);
      }
    }
    return objects;
  }

  /** The request's path up to the name of the object, which it lacks where it creates. */
  private static String path(String request, String name) {
    String[] words = request.split("/", -1);
    // /api/v1/… or /apis/group/version/…, then perhaps namespaces/name, then kind and name
    int kind = words.length > 1 && words[1].equals("api") ? 3 : 4;
    if (words.length > kind + 2 && words[kind].equals("namespaces")) {
      kind += 2;
    }
    StringBuilder path = new StringBuilder();
    for (int word = 1; word <= kind && word < words.length; word++) {
      path.append('/').append(words[word]);
    }
    return path.append('/').append(name).toString();
  }
}
