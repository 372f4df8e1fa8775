package io.probelet.simulation.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.Set;

/**
 * A kind that the server knows.
 *
 * @param group empty for the core
 * @param namespaced whether its objects are in namespaces
 * @param traits how it differs from others
 * @param schema of a custom resource; missing for built-in kinds
 * @param collection the path of all its objects, which is asked for more often than anything else
 */
record ApiKind(
    String group,
    String version,
    String kind,
    String plural,
    boolean namespaced,
    Set<Trait> traits,
    JsonNode schema,
    String collection) {

  ApiKind(
      String group,
      String version,
      String kind,
      String plural,
      boolean namespaced,
      Set<Trait> traits,
      JsonNode schema) {
    this(
        group,
        version,
        kind,
        plural,
        namespaced,
        traits,
        schema,
        root(group, version) + "/" + plural);
  }

  /** How kinds differ. */
  enum Trait {
    /** Its status has a subresource of its own. */
    STATUS,
    /** Its status is dropped at creation. */
    NO_STATUS_AT_FIRST,
    /** Labels and annotations can be written with its status. */
    METADATA_WITH_STATUS,
    /** It counts the changes of its spec. */
    GENERATION,
    /** A write need not name the version it replaces. */
    UNCONDITIONAL,
    /** A replacement creates it if there is none. */
    CREATED_BY_UPDATE,
    /** Its deletion waits for a grace period. */
    GRACEFUL,
    /** It is defined by a CustomResourceDefinition. */
    CUSTOM
  }

  /** {@return a kind built into the server} */
  static ApiKind builtIn(
      String group,
      String version,
      String kind,
      String plural,
      boolean namespaced,
      Set<Trait> traits) {
    return new ApiKind(group, version, kind, plural, namespaced, traits, MissingNode.getInstance());
  }

  boolean is(Trait trait) {
    return traits.contains(trait);
  }

  String apiVersion() {
    return group.isEmpty() ? version : group + "/" + version;
  }

  String root() {
    return root(group, version);
  }

  private static String root(String group, String version) {
    return group.isEmpty() ? "/api/" + version : "/apis/" + group + "/" + version;
  }

  /** {@return its name in messages, such as nodeorders.probelet.io} */
  String resource() {
    return group.isEmpty() ? plural : plural + "." + group;
  }
}
