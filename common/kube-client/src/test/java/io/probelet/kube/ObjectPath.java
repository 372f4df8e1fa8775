package io.probelet.kube;

import java.util.Arrays;

/**
 * The object path of a request.
 *
 * @param collection such as /api/v1/pods, without a namespace
 * @param namespace empty for all, or if there are none
 * @param name empty for the whole collection
 * @param subresource such as status; empty for the object itself
 */
record ObjectPath(String collection, String namespace, String name, String subresource) {
  private static final String NAMESPACES = "namespaces";

  /** Whether a path leads to objects, not to discovery or health endpoints. */
  static boolean isOne(String path) {
    return path.matches("/api/[^/]+/.+|/apis/[^/]+/[^/]+/.+");
  }

  static ObjectPath of(String path) {
    String[] words = path.split("/", -1);
    int root = path.startsWith("/api/") ? 3 : 4;
    boolean namespaced = words[root].equals(NAMESPACES) && words.length > root + 2;
    int at = namespaced ? root + 2 : root;
    String group = String.join("/", Arrays.copyOf(words, root));
    return new ObjectPath(
        group + "/" + words[at],
        namespaced ? words[root + 1] : "",
        words.length > at + 1 ? words[at + 1] : "",
        words.length > at + 2 ? words[at + 2] : "");
  }

  ObjectPath named(String newName) {
    return new ObjectPath(collection, namespace, newName, "");
  }

  /** The part of a path that identifies an object in its collection. */
  String key() {
    return namespace + "/" + name;
  }
}
