package io.probelet.kube;

import java.util.List;

/** The RBAC rule that a request requires. */
final class RbacRule {
  private RbacRule() {}

  /** Returns the rule as written in a Role. */
  static String of(String method, String pathAndQuery) {
    int query = pathAndQuery.indexOf('?');
    String path = query < 0 ? pathAndQuery : pathAndQuery.substring(0, query);
    List<String> words = List.of(path.substring(1).split("/", -1));
    boolean core = words.getFirst().equals("api");
    int root = core ? 2 : 3; // api/v1 or apis/group/version
    int at = words.size() > root + 2 && words.get(root).equals("namespaces") ? root + 2 : root;
    if (words.size() <= at) {
      return "{nonResourceURLs: [%s], verbs: [%s]}".formatted(path, verb(method, true, false));
    }
    boolean named = words.size() > at + 1;
    String part = words.size() > at + 2 ? "/" + words.get(at + 2) : "";
    return "{apiGroups: [%s], resources: [%s], verbs: [%s]}"
        .formatted(
            core ? "\"\"" : words.get(1),
            words.get(at) + part,
            verb(method, named, pathAndQuery.contains("watch=true")));
  }

  private static String verb(String method, boolean named, boolean watch) {
    return switch (method) {
      case "POST" -> "create";
      case "PUT" -> "update";
      case "PATCH" -> "patch";
      case "DELETE" -> "delete";
      default -> watch ? "watch" : named ? "get" : "list";
    };
  }
}
