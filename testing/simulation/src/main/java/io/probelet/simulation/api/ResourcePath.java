package io.probelet.simulation.api;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.Set;

/**
 * The path of a request to objects.
 *
 * @param root of the API version, such as {@code /apis/apps/v1}
 * @param plural such as pods
 * @param namespace empty for all, or if there are none
 * @param name empty for the collection
 * @param subresource such as status; empty for the object itself
 */
record ResourcePath(String root, String plural, String namespace, String name, String subresource) {
  private static final String NAMESPACES = "namespaces";
  private static final Set<String> OF_NAMESPACES = Set.of("status", "finalize");

  /** {@return whether a path leads to objects, not to discovery or health endpoints} */
  static boolean isOne(String path) {
    int words = path.startsWith("/apis/") ? 2 : path.startsWith("/api/") ? 1 : 0;
    int at = path.indexOf('/', 1);
    for (int word = 0; word < words && at >= 0; word++) {
      int next = path.indexOf('/', at + 1);
      at = next > at + 1 ? next : -1;
    }
    return words > 0 && at >= 0 && at < path.length() - 1;
  }

  static ResourcePath of(String path) {
    String[] words = path.split("/", -1);
    int at = path.startsWith("/api/") ? 3 : 4;
    String root = String.join("/", Arrays.copyOf(words, at));
    String namespace = "";
    boolean namespaced =
        words[at].equals(NAMESPACES)
            && words.length > at + 2
            && !OF_NAMESPACES.contains(words[at + 2]);
    if (namespaced) {
      namespace = words[at + 1];
      at += 2;
    }
    return new ResourcePath(
        root,
        words[at],
        namespace,
        words.length > at + 1 ? words[at + 1] : "",
        words.length > at + 2 ? words[at + 2] : "");
  }

  /** {@return the path of a stored object} */
  static ResourcePath of(ApiKind kind, JsonNode object) {
    return new ResourcePath(
        kind.root(), kind.plural(), ObjectFields.namespace(object), ObjectFields.name(object), "");
  }

  String collection() {
    return root + "/" + plural;
  }

  /**
   * {@return whether an object of the collection is in the requested namespace, if there is one}
   */
  boolean isIn(String objectNamespace) {
    return namespace.isEmpty() || namespace.equals(objectNamespace);
  }

  ResourcePath named(String newName) {
    return new ResourcePath(root, plural, namespace, newName, "");
  }
}
