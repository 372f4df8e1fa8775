package io.probelet.simulation.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.Metadata;
import io.probelet.kube.WireTime;
import io.probelet.simulation.api.ApiKind.Trait;
import io.probelet.simulation.kernel.Machine;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Creates, changes and deletes objects by the rules of kube-apiserver. */
final class ObjectWrites {
  private static final int LONGEST_NAME = 253;
  private static final String[] SET_BY_SERVER = {
    "uid", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds", "generation"
  };
  private static final Pattern DNS_NAME =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  private final ObjectStore store;
  private final Machine machine;
  private final RandomGenerator random;

  /** The last applied part by object, manager and subresource. */
  private final Map<String, ObjectNode> applied = new HashMap<>();

  ObjectWrites(ObjectStore store, Machine machine, RandomGenerator random) {
    this.store = store;
    this.machine = machine;
    this.random = random;
  }

  private Instant now() {
    return machine.wall();
  }

  @Nullable ObjectNode find(ApiKind kind, ResourcePath path) {
    return store.find(kind.collection(), path.namespace(), path.name());
  }

  ObjectNode get(ApiKind kind, ResourcePath path) {
    ObjectNode object = find(kind, path);
    if (object == null) {
      throw RefusedRequest.notFound(kind, path.name());
    }
    return object;
  }

  ObjectNode create(ApiKind kind, ResourcePath path, ObjectNode body) {
    ObjectNode object = body.deepCopy();
    requireKind(kind, object);
    ObjectNode metadata = object.withObject("/metadata");
    String prefix = ObjectFields.metadata(object, "generateName");
    if (ObjectFields.name(object).isEmpty() && !prefix.isEmpty()) {
      metadata.put("name", prefix + suffix());
    }
    String name = ObjectFields.name(object);
    requireName(kind, name);
    requireNamespace(kind, path, metadata);
    if (!Metadata.version(object).isEmpty()) {
      throw new RefusedRequest(
          500, "InternalError", "resourceVersion should not be set on objects to be created");
    }
    if (store.find(kind.collection(), path.namespace(), name) != null) {
      throw new RefusedRequest(
          409, "AlreadyExists", "%s \"%s\" already exists".formatted(kind.resource(), name));
    }
    for (String field : SET_BY_SERVER) {
      metadata.remove(field);
    }
    metadata.remove("managedFields");
    metadata.put("uid", new UUID(random.nextLong(), random.nextLong()).toString());
    metadata.put("creationTimestamp", WireTime.seconds(now()));
    if (kind.is(Trait.GENERATION)) {
      metadata.put("generation", 1);
    }
    if (kind.is(Trait.NO_STATUS_AT_FIRST)) {
      object.remove("status");
    }
    ObjectDefaults.atCreation(kind, object);
    ObjectForm.normalize(kind, object);
    ObjectForm.require(kind, name, null, object);
    store.write(kind.collection(), path.namespace(), name, null, object);
    return object;
  }

  private String suffix() {
    String letters = "bcdfghjklmnpqrstvwxz2456789";
    StringBuilder suffix = new StringBuilder();
    for (int i = 0; i < 5; i++) {
      suffix.append(letters.charAt(random.nextInt(letters.length())));
    }
    return suffix.toString();
  }

  private static void requireKind(ApiKind kind, ObjectNode object) {
    String apiVersion = object.path("apiVersion").asText("");
    String name = object.path("kind").asText("");
    if ((!apiVersion.isEmpty() && !apiVersion.equals(kind.apiVersion()))
        || (!name.isEmpty() && !name.equals(kind.kind()))) {
      throw RefusedRequest.badRequest(
          "%s in version \"%s\" cannot be handled as a %s"
              .formatted(name, apiVersion, kind.kind()));
    }
    object.put("apiVersion", kind.apiVersion()).put("kind", kind.kind());
  }

  private static void requireName(ApiKind kind, String name) {
    if (name.isEmpty()) {
      throw RefusedRequest.invalid(
          kind, name, "metadata.name: Required value: name or generateName is required");
    }
    if (name.length() > LONGEST_NAME || !DNS_NAME.matcher(name).matches()) {
      throw RefusedRequest.invalid(
          kind,
          name,
          "metadata.name: Invalid value: \"%s\": a lowercase RFC 1123 subdomain must consist of"
                  .formatted(name)
              + " lower case alphanumeric characters, '-' or '.'");
    }
  }

  private static void requireNamespace(ApiKind kind, ResourcePath path, ObjectNode metadata) {
    String named = metadata.path("namespace").asText("");
    if (!kind.namespaced()) {
      metadata.remove("namespace");
    } else if (!named.isEmpty() && !named.equals(path.namespace())) {
      throw RefusedRequest.badRequest(
          "the namespace of the provided object does not match the namespace sent on the request");
    } else {
      metadata.put("namespace", path.namespace());
    }
  }

  ObjectNode replace(ApiKind kind, ResourcePath path, ObjectNode body) {
    ObjectNode before = find(kind, path);
    ObjectNode wanted = body.deepCopy();
    requireKind(kind, wanted);
    requireNameOf(path, wanted);
    String uid = ObjectFields.uid(wanted);
    if (before == null) {
      if (!kind.is(Trait.CREATED_BY_UPDATE)) {
        throw RefusedRequest.notFound(kind, path.name());
      }
      if (!uid.isEmpty()) {
        throw RefusedRequest.conflict(
            kind, path.name(), "Precondition failed: UID in precondition: " + uid);
      }
      wanted.withObject("/metadata").remove("resourceVersion");
      return create(kind, path.named(""), wanted);
    }
    if (!uid.isEmpty() && !uid.equals(ObjectFields.uid(before))) {
      throw RefusedRequest.conflict(
          kind,
          path.name(),
          "Precondition failed: UID in precondition: %s, UID in object meta: %s"
              .formatted(uid, ObjectFields.uid(before)));
    }
    if (Metadata.version(wanted).isEmpty() && !kind.is(Trait.UNCONDITIONAL)) {
      throw RefusedRequest.invalid(
          kind,
          path.name(),
          "metadata.resourceVersion: Invalid value: 0x0: must be specified for an update");
    }
    return change(kind, path, before, wanted);
  }

  private static void requireNameOf(ResourcePath path, ObjectNode object) {
    if (!ObjectFields.name(object).equals(path.name())) {
      throw RefusedRequest.badRequest(
          "the name of the object (%s) does not match the name on the URL (%s)"
              .formatted(ObjectFields.name(object), path.name()));
    }
  }

  ObjectNode patch(ApiKind kind, ResourcePath path, String type, JsonNode patch) {
    ObjectNode before = get(kind, path);
    ObjectNode wanted = ObjectPatch.apply(kind, type, patch, before);
    requireNameOf(path, wanted);
    return change(kind, path, before, wanted);
  }

  /** Applies a part; creates the object if there is none. */
  ObjectNode apply(ApiKind kind, ResourcePath path, String manager, ObjectNode part) {
    ObjectNode ours = part.deepCopy();
    requireKind(kind, ours);
    ObjectNode owned = owned(ours);
    ObjectNode before = find(kind, path);
    if (before == null) {
      if (!path.subresource().isEmpty()) {
        throw RefusedRequest.notFound(kind, path.name());
      }
      if (!ObjectFields.uid(ours).isEmpty()) {
        throw RefusedRequest.conflict(
            kind,
            path.name(),
            "uid mismatch: the provided object specified uid %s, and no existing object was found"
                .formatted(ObjectFields.uid(ours)));
      }
      ours.withObject("/metadata").put("name", path.name()).remove("resourceVersion");
      ObjectNode created = create(kind, path.named(""), ours);
      applied.put(appliedKey(created, manager, path), owned);
      return created;
    }
    String key = appliedKey(before, manager, path);
    ObjectNode wanted = ObjectPatch.applied(kind, before, applied.get(key), owned);
    for (String field : new String[] {"uid", "resourceVersion"}) {
      String required = ObjectFields.metadata(ours, field);
      if (!required.isEmpty()) {
        wanted.withObject("/metadata").put(field, required);
      }
    }
    ObjectNode after = change(kind, path, before, wanted);
    applied.put(key, owned);
    return after;
  }

  /** {@return the fields that an apply owns, which are those that do not identify the object} */
  private static ObjectNode owned(ObjectNode part) {
    ObjectNode owned = part.deepCopy();
    owned.remove("apiVersion");
    owned.remove("kind");
    ObjectNode metadata = owned.withObject("/metadata");
    for (String field : new String[] {"name", "namespace", "uid", "resourceVersion"}) {
      metadata.remove(field);
    }
    return owned;
  }

  private static String appliedKey(ObjectNode object, String manager, ResourcePath path) {
    return ObjectFields.uid(object) + "/" + manager + "/" + path.subresource();
  }

  private ObjectNode change(ApiKind kind, ResourcePath path, ObjectNode before, ObjectNode wanted) {
    String version = Metadata.version(wanted);
    if (!version.isEmpty() && !version.equals(Metadata.version(before))) {
      throw RefusedRequest.modified(kind, path.name());
    }
    String uid = ObjectFields.uid(wanted);
    if (!uid.isEmpty() && !uid.equals(ObjectFields.uid(before))) {
      throw RefusedRequest.invalid(
          kind,
          path.name(),
          "metadata.uid: Invalid value: \"%s\": field is immutable".formatted(uid));
    }
    ObjectNode after = ObjectForm.merged(kind, path.subresource(), before, wanted);
    ObjectNode metadata = after.withObject("/metadata");
    keep(before, metadata, SET_BY_SERVER);
    keep(before, metadata, "name", "namespace", "resourceVersion", "generateName");
    ObjectDefaults.afterChange(kind, after);
    ObjectForm.normalize(kind, after);
    ObjectForm.require(kind, path.name(), before, after);
    if (after.equals(before)) {
      return before;
    }
    if (kind.is(Trait.GENERATION) && ObjectForm.isOtherSpec(kind, before, after)) {
      metadata.put("generation", before.at("/metadata/generation").asLong() + 1);
    }
    boolean goes =
        metadata.has("deletionTimestamp")
            && metadata.path("finalizers").isEmpty()
            && metadata.path("deletionGracePeriodSeconds").asLong() == 0;
    store.write(kind.collection(), path.namespace(), path.name(), before, goes ? null : after);
    return after;
  }

  private static void keep(ObjectNode before, ObjectNode metadata, String... fields) {
    for (String field : fields) {
      JsonNode value = before.path("metadata").path(field);
      if (value.isMissingNode()) {
        metadata.remove(field);
      } else {
        metadata.set(field, value);
      }
    }
  }

  /**
   * Deletes an object, or begins to.
   *
   * @return the object if finalizers or its grace period hold it; null if it is gone
   */
  @Nullable ObjectNode delete(ApiKind kind, ResourcePath path, JsonNode options) {
    ObjectNode before = get(kind, path);
    for (String field : new String[] {"uid", "resourceVersion"}) {
      String shown = field.equals("uid") ? "UID" : "ResourceVersion";
      String wanted = options.path("preconditions").path(field).asText("");
      if (!wanted.isEmpty() && !wanted.equals(ObjectFields.metadata(before, field))) {
        throw RefusedRequest.conflict(
            kind,
            path.name(),
            "Precondition failed: %s in precondition: %s, %s in object meta: %s"
                .formatted(shown, wanted, shown, ObjectFields.metadata(before, field)));
      }
    }
    long grace = kind.is(Trait.GRACEFUL) ? ObjectDefaults.grace(before, options) : 0;
    boolean isNamespace = kind.collection().equals(ApiKinds.NAMESPACES);
    boolean held = isNamespace || !before.at("/metadata/finalizers").isEmpty();
    boolean gone = grace == 0 && !held;
    if (gone && !kind.is(Trait.GRACEFUL)) {
      store.write(kind.collection(), path.namespace(), path.name(), before, null);
      return null;
    }
    boolean unchanged =
        ObjectFields.isDeleting(before)
            && grace >= before.at("/metadata/deletionGracePeriodSeconds").asLong();
    ObjectNode after = unchanged ? before : going(kind, before, grace);
    if (!unchanged) {
      if (isNamespace) { // the control plane removes it once it is empty
        after.withObject("/status").put("phase", "Terminating");
      }
      store.write(kind.collection(), path.namespace(), path.name(), before, after);
    }
    if (gone) { // watches see that a pod is being deleted before it is gone
      store.write(kind.collection(), path.namespace(), path.name(), after, null);
    }
    return gone ? null : after;
  }

  private ObjectNode going(ApiKind kind, ObjectNode before, long grace) {
    ObjectNode after = before.deepCopy();
    ObjectNode metadata = after.withObject("/metadata");
    metadata.put("deletionTimestamp", WireTime.seconds(now().plus(Duration.ofSeconds(grace))));
    metadata.put("deletionGracePeriodSeconds", grace);
    if (kind.is(Trait.GENERATION) && !ObjectFields.isDeleting(before)) {
      metadata.put("generation", before.at("/metadata/generation").asLong() + 1);
    }
    return after;
  }
}
