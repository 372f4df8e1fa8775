package io.probelet.simulation.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.simulation.api.ApiKind.Trait;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The kinds built into the server, and those that its CustomResourceDefinitions add. */
final class ApiKinds {
  static final String NODES = "/api/v1/nodes";
  static final String PODS = "/api/v1/pods";
  static final String NAMESPACES = "/api/v1/namespaces";
  static final String EVENTS = "/api/v1/events";
  static final String BUDGETS = "/apis/policy/v1/poddisruptionbudgets";
  static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  private static final Set<Trait> PLAIN = EnumSet.of(Trait.UNCONDITIONAL);
  private static final Set<Trait> WITH_STATUS =
      EnumSet.of(Trait.UNCONDITIONAL, Trait.STATUS, Trait.NO_STATUS_AT_FIRST);
  private static final Set<Trait> WORKLOAD =
      EnumSet.of(Trait.UNCONDITIONAL, Trait.STATUS, Trait.NO_STATUS_AT_FIRST, Trait.GENERATION);

  private final Map<String, ApiKind> builtIn = new TreeMap<>();
  private final Map<String, ApiKind> all = new TreeMap<>();

  ApiKinds() {
    core("Namespace", "namespaces", false, WITH_STATUS);
    core(
        "Node",
        "nodes",
        false,
        EnumSet.of(Trait.UNCONDITIONAL, Trait.STATUS, Trait.METADATA_WITH_STATUS));
    core(
        "Pod",
        "pods",
        true,
        EnumSet.of(
            Trait.UNCONDITIONAL,
            Trait.STATUS,
            Trait.NO_STATUS_AT_FIRST,
            Trait.METADATA_WITH_STATUS,
            Trait.GENERATION,
            Trait.GRACEFUL));
    core("Event", "events", true, EnumSet.of(Trait.UNCONDITIONAL, Trait.CREATED_BY_UPDATE));
    core("Secret", "secrets", true, PLAIN);
    core("ConfigMap", "configmaps", true, PLAIN);
    core("ServiceAccount", "serviceaccounts", true, PLAIN);
    core("Service", "services", true, WITH_STATUS);
    for (String kind : new String[] {"Deployment", "DaemonSet", "ReplicaSet", "StatefulSet"}) {
      put("apps", "v1", kind, true, WORKLOAD);
    }
    put("batch", "v1", "Job", true, WORKLOAD);
    put("batch", "v1", "CronJob", true, WORKLOAD);
    put("coordination.k8s.io", "v1", "Lease", true, EnumSet.of(Trait.CREATED_BY_UPDATE));
    put(
        "policy",
        "v1",
        "PodDisruptionBudget",
        true,
        EnumSet.of(Trait.STATUS, Trait.NO_STATUS_AT_FIRST, Trait.GENERATION));
    put("apiregistration.k8s.io", "v1", "APIService", false, WITH_STATUS);
    put(
        "apiextensions.k8s.io",
        "v1",
        "CustomResourceDefinition",
        false,
        EnumSet.of(Trait.STATUS, Trait.NO_STATUS_AT_FIRST, Trait.GENERATION));
    for (String kind :
        new String[] {"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"}) {
      put("admissionregistration.k8s.io", "v1", kind, false, EnumSet.of(Trait.GENERATION));
    }
    all.putAll(builtIn);
  }

  private void core(String kind, String plural, boolean namespaced, Set<Trait> traits) {
    put(ApiKind.builtIn("", "v1", kind, plural, namespaced, traits));
  }

  private void put(
      String group, String version, String kind, boolean namespaced, Set<Trait> traits) {
    String plural = kind.toLowerCase(Locale.ROOT) + "s";
    put(ApiKind.builtIn(group, version, kind, plural, namespaced, traits));
  }

  private void put(ApiKind kind) {
    builtIn.put(kind.collection(), kind);
  }

  /** Knows the kinds of these definitions, and no other custom ones. */
  void define(Iterable<ObjectNode> definitions) {
    all.clear();
    all.putAll(builtIn);
    definitions.forEach(this::define);
  }

  private void define(ObjectNode definition) {
    JsonNode spec = definition.path("spec");
    for (JsonNode version : spec.path("versions")) {
      EnumSet<Trait> traits = EnumSet.of(Trait.CUSTOM, Trait.GENERATION);
      if (version.at("/subresources/status").isObject()) {
        traits.add(Trait.STATUS);
        traits.add(Trait.NO_STATUS_AT_FIRST);
      }
      ApiKind kind =
          new ApiKind(
              spec.path("group").asText(),
              version.path("name").asText(),
              spec.at("/names/kind").asText(),
              spec.at("/names/plural").asText(),
              spec.path("scope").asText().equals("Namespaced"),
              traits,
              version.at("/schema/openAPIV3Schema"));
      if (version.path("served").asBoolean()) {
        all.put(kind.collection(), kind);
      }
    }
  }

  /** {@return the kind of a collection; null if it is not served} */
  @Nullable ApiKind find(String collection) {
    return all.get(collection);
  }

  /** {@return the kind of an object; null if it is not served} */
  @Nullable ApiKind of(String apiVersion, String kind) {
    for (ApiKind each : all.values()) {
      if (each.apiVersion().equals(apiVersion) && each.kind().equals(kind)) {
        return each;
      }
    }
    return null;
  }

  /** {@return all kinds, by collection} */
  Iterable<ApiKind> all() {
    return List.copyOf(all.values());
  }

  /** {@return what discovery says about a path; null if there is nothing} */
  @Nullable ObjectNode discovery(String path) {
    ObjectNode answer = JsonNodeFactory.instance.objectNode();
    if (path.equals("/api")) {
      answer.put("kind", "APIVersions").putArray("versions").add("v1");
      return answer;
    }
    if (path.equals("/apis")) {
      return groups(answer);
    }
    ArrayNode resources = answer.objectNode().putArray("resources");
    for (ApiKind kind : all.values()) {
      if (kind.root().equals(path)) {
        answer.put("groupVersion", kind.apiVersion());
        resource(resources, kind, kind.plural());
        if (kind.is(Trait.STATUS)) {
          resource(resources, kind, kind.plural() + "/status");
        }
      }
    }
    if (resources.isEmpty()) {
      return null;
    }
    answer.put("kind", "APIResourceList").put("apiVersion", "v1").set("resources", resources);
    return answer;
  }

  private static void resource(ArrayNode resources, ApiKind kind, String name) {
    ObjectNode resource = resources.addObject().put("name", name);
    resource
        .put("singularName", name.indexOf('/') < 0 ? kind.kind().toLowerCase(Locale.ROOT) : "")
        .put("namespaced", kind.namespaced())
        .put("kind", kind.kind());
    ArrayNode verbs = resource.putArray("verbs");
    if (name.indexOf('/') < 0) {
      verbs.add("create").add("delete").add("deletecollection").add("list").add("watch");
    }
    verbs.add("get").add("patch").add("update");
  }

  private ObjectNode groups(ObjectNode answer) {
    answer.put("kind", "APIGroupList").put("apiVersion", "v1");
    ArrayNode groups = answer.putArray("groups");
    Map<String, Set<String>> versions = new TreeMap<>();
    for (ApiKind kind : all.values()) {
      if (!kind.group().isEmpty()) {
        versions.computeIfAbsent(kind.group(), _ -> new TreeSet<>()).add(kind.version());
      }
    }
    versions.forEach((group, those) -> {
      ObjectNode entry = groups.addObject().put("name", group);
      ArrayNode list = entry.putArray("versions");
      for (String version : those) {
        list.addObject().put("groupVersion", group + "/" + version).put("version", version);
      }
      entry.set("preferredVersion", list.get(0));
    });
    return answer;
  }
}
