package io.probelet.cli.realapi;

import static io.probelet.cli.realapi.AccessAttempt.allowed;
import static io.probelet.cli.realapi.AccessAttempt.refused;
import static io.probelet.cli.realapi.AgentWrites.HERE;
import static io.probelet.cli.realapi.AgentWrites.SHOP;
import static io.probelet.cli.realapi.AgentWrites.SYSTEM;
import static io.probelet.cli.realapi.AgentWrites.event;
import static io.probelet.cli.realapi.AgentWrites.merge;
import static io.probelet.cli.realapi.AgentWrites.nodeStatus;
import static io.probelet.cli.realapi.AgentWrites.podStatus;
import static io.probelet.cli.realapi.AgentWrites.pods;
import static io.probelet.cli.realapi.AgentWrites.say;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.function.Consumer;

/** What may be tried to fill the API server's store with what an agent may write. */
final class SizeAttempts {
  private static final String LONG = "x".repeat(1025);

  private SizeAttempts() {}

  static List<AccessAttempt> ownNode() {
    String bounded = "a message of at most 1024 characters";
    String status =
        "{\"status\": {\"conditions\": [{\"type\": \"DiskFull\", \"status\": \"%s\", \"%s\": \"%s\"}]}}";
    String marks = "{\"metadata\": {\"annotations\": {\"probelet.io/node-%s\": \"%s\"}}}";
    return List.of(
        allowed(
            "a condition of full length",
            c -> nodeStatus(c, HERE, status.formatted("True", "message", "x".repeat(1024)))),
        allowed(
            "marks of full length",
            c -> nodeStatus(c, HERE, marks.formatted("conditions", "x".repeat(16_384)))),
        refused(
            "a longer message",
            bounded,
            c -> nodeStatus(c, HERE, status.formatted("True", "message", LONG))),
        refused(
            "a longer reason",
            bounded,
            c -> nodeStatus(c, HERE, status.formatted("True", "reason", "x".repeat(129)))),
        refused(
            "a condition that is neither True, False nor Unknown",
            bounded,
            c -> nodeStatus(c, HERE, status.formatted(LONG, "message", "m"))),
        refused(
            "a condition twice",
            "each of its conditions only once",
            c ->
                c.nodes()
                    .withName(HERE)
                    .subresource("status")
                    .patch(
                        PatchContext.of(PatchType.JSON),
                        """
                        [{"op": "add", "path": "/status/conditions/-", "value": {"type": "DiskFull", "status": "True"}},
                         {"op": "add", "path": "/status/conditions/-", "value": {"type": "DiskFull", "status": "False"}}]\
                        """)),
        refused(
            "longer marks",
            "at most 16384 characters in an annotation",
            c -> nodeStatus(c, HERE, marks.formatted("taints", "x".repeat(16_385)))),
        refused(
            "many managers of its fields",
            "too many field managers",
            c -> managers(c.nodes().withName(HERE), "Node", HERE, "DiskFull")));
  }

  static List<AccessAttempt> ownPods() {
    String bounded =
        "the condition probelet.io/ready only once, with a reason of at most 128 and a message of at most 1024 characters";
    String status =
        "{\"status\": {\"conditions\": [{\"type\": \"probelet.io/ready\", \"status\": \"%s\", \"%s\": \"%s\"}]}}";
    return List.of(
        allowed(
            "a message of full length",
            c -> podStatus(c, "here", status.formatted("True", "message", "x".repeat(1024)))),
        refused(
            "a longer message",
            bounded,
            c -> podStatus(c, "here", status.formatted("True", "message", LONG))),
        refused(
            "a longer reason",
            bounded,
            c -> podStatus(c, "here", status.formatted("True", "reason", "x".repeat(129)))),
        refused(
            "a status that is neither True, False nor Unknown",
            bounded,
            c -> podStatus(c, "here", status.formatted(LONG, "message", "m"))),
        refused(
            "its condition twice",
            bounded,
            c ->
                pods(c, "here")
                    .subresource("status")
                    .patch(
                        PatchContext.of(PatchType.JSON),
                        """
                        [{"op": "add", "path": "/status/conditions/-", "value": {"type": "probelet.io/ready", "status": "True"}},
                         {"op": "add", "path": "/status/conditions/-", "value": {"type": "probelet.io/ready", "status": "False"}}]\
                        """)),
        refused(
            "many managers of its fields",
            "too many field managers",
            c -> managers(pods(c, "here"), "Pod", "here", "probelet.io/ready")));
  }

  static List<AccessAttempt> events() {
    String bounded = "only the fields of an event that it needs, each within its limit";
    return List.of(
        allowed(
            "one of full length",
            c -> say(c, changed(c, it -> it.put("message", "x".repeat(1024))))),
        refused(
            "a longer message", bounded, c -> say(c, changed(c, it -> it.put("message", LONG)))),
        refused(
            "a longer reason",
            bounded,
            c -> say(c, changed(c, it -> it.put("reason", "x".repeat(129))))),
        refused(
            "another type",
            bounded,
            c -> say(c, changed(c, it -> it.put("type", "x".repeat(129))))),
        refused(
            "a longer component",
            bounded,
            c ->
                say(
                    c,
                    changed(c, it -> it.withObject("source").put("component", "x".repeat(129))))),
        refused(
            "a longer uid",
            bounded,
            c ->
                say(
                    c,
                    changed(c, it -> it.withObject("involvedObject").put("uid", "x".repeat(254))))),
        refused(
            "a longer path",
            bounded,
            c ->
                say(
                    c,
                    changed(
                        c,
                        it -> it.withObject("involvedObject").put("fieldPath", "x".repeat(257))))),
        refused(
            "another version of its object",
            bounded,
            c ->
                say(
                    c,
                    changed(
                        c, it -> it.withObject("involvedObject").put("resourceVersion", LONG)))),
        refused(
            "annotations",
            bounded,
            c ->
                say(
                    c,
                    changed(
                        c,
                        it -> it.withObject("metadata").withObject("annotations").put("a", LONG)))),
        refused(
            "labels",
            bounded,
            c ->
                say(
                    c,
                    changed(
                        c, it -> it.withObject("metadata").withObject("labels").put("a", "b")))),
        refused(
            "a finalizer",
            bounded,
            c ->
                say(
                    c,
                    changed(
                        c, it -> it.withObject("metadata").putArray("finalizers").add("a.b/c")))),
        refused(
            "an owner",
            bounded,
            c ->
                say(
                    c,
                    changed(
                        c,
                        it ->
                            it.withObject("metadata")
                                .putArray("ownerReferences")
                                .addObject()
                                .put("apiVersion", "v1")
                                .put("kind", "Pod")
                                .put("name", "a")
                                .put("uid", LONG)))),
        refused("an action", bounded, c -> say(c, changed(c, it -> it.put("action", LONG)))),
        refused(
            "a related object",
            bounded,
            c -> say(c, changed(c, it -> it.putObject("related").put("name", LONG)))),
        refused(
            "a longer message for its own",
            bounded,
            c -> {
              say(c, event("a", pods(c, "here").get(), ""));
              c.v1()
                  .events()
                  .inNamespace(SHOP)
                  .withName("a")
                  .patch(merge(), "{\"message\": \"" + LONG + "\"}");
            }),
        refused(
            "annotations for its own",
            bounded,
            c -> {
              say(c, event("a", pods(c, "here").get(), ""));
              c.v1()
                  .events()
                  .inNamespace(SHOP)
                  .withName("a")
                  .patch(merge(), "{\"metadata\": {\"annotations\": {\"a\": \"" + LONG + "\"}}}");
            }),
        refused(
            "managers of fields that it has not",
            "too many field managers",
            c -> say(c, changed(c, it -> managed(it.withObject("metadata"), "v1")))));
  }

  static List<AccessAttempt> leases() {
    String nothing = "may only renew its lease, not change other fields of it";
    String path = "/apis/coordination.k8s.io/v1/namespaces/" + SYSTEM + "/leases";
    return List.of(
        refused(
            "annotations on its own",
            nothing,
            c ->
                post(
                    c,
                    path,
                    own(it -> it.withObject("metadata").withObject("annotations").put("a", LONG)))),
        refused(
            "labels on its own",
            nothing,
            c ->
                post(
                    c,
                    path,
                    own(it -> it.withObject("metadata").withObject("labels").put("a", "b")))),
        refused(
            "a finalizer on its own",
            nothing,
            c ->
                post(
                    c,
                    path,
                    own(it -> it.withObject("metadata").putArray("finalizers").add("a.b/c")))),
        refused(
            "another holder",
            nothing,
            c -> post(c, path, own(it -> it.withObject("spec").put("holderIdentity", LONG)))),
        refused(
            "managers of fields that it has not",
            "too many field managers",
            c ->
                post(
                    c,
                    path,
                    own(it -> managed(it.withObject("metadata"), "coordination.k8s.io/v1")))));
  }

  private static void post(KubernetesClient client, String path, ObjectNode object) {
    client.raw(path, "POST", object.toString());
  }

  private static ObjectNode own(Consumer<ObjectNode> change) {
    ObjectNode lease = tree(Serialization.asJson(AgentWrites.lease(SYSTEM, HERE)));
    change.accept(lease);
    return lease;
  }

  private static String changed(KubernetesClient client, Consumer<ObjectNode> change) {
    ObjectNode event = tree(event("a", pods(client, "here").get(), ""));
    change.accept(event);
    // what reads this looks for the kind as the agent writes it
    return event.toString().replace("\":\"", "\": \"");
  }

  private static ObjectNode tree(String json) {
    return Serialization.unmarshal(json, ObjectNode.class);
  }

  /** A hundred kilobytes of names of fields, as of somebody else's write. */
  private static void managed(ObjectNode metadata, String apiVersion) {
    ObjectNode entry = metadata.putArray("managedFields").addObject();
    entry
        .put("manager", "somebody")
        .put("operation", "Update")
        .put("apiVersion", apiVersion)
        .put("time", "2026-11-21T10:00:00Z")
        .put("fieldsType", "FieldsV1");
    ObjectNode fields = entry.putObject("fieldsV1");
    for (int i = 0; i < 1000; i++) {
      fields.putObject("f:" + "x".repeat(100) + i); // none of them is a field of it
    }
  }

  /** Each application of a status by another manager adds that to the object. */
  private static void managers(Resource<?> resource, String kind, String name, String type) {
    for (int i = 0; i < 70; i++) {
      resource
          .subresource("status")
          .patch(
              new PatchContext.Builder()
                  .withPatchType(PatchType.SERVER_SIDE_APPLY)
                  .withFieldManager("m" + i)
                  .withForce(true)
                  .build(),
              """
              {"apiVersion": "v1", "kind": "%s", "metadata": {"name": "%s"},
               "status": {"conditions": [{"type": "%s", "status": "True"}]}}\
              """
                  .formatted(kind, name, type));
    }
  }
}
