package io.probelet.cli.realapi;

import static io.probelet.cli.realapi.AccessAttempt.allowed;
import static io.probelet.cli.realapi.AccessAttempt.refused;
import static io.probelet.cli.realapi.AgentWrites.HERE;
import static io.probelet.cli.realapi.AgentWrites.SHOP;
import static io.probelet.cli.realapi.AgentWrites.SYSTEM;
import static io.probelet.cli.realapi.AgentWrites.THERE;
import static io.probelet.cli.realapi.AgentWrites.event;
import static io.probelet.cli.realapi.AgentWrites.merge;
import static io.probelet.cli.realapi.AgentWrites.nodeEvent;
import static io.probelet.cli.realapi.AgentWrites.pods;
import static io.probelet.cli.realapi.AgentWrites.renew;
import static io.probelet.cli.realapi.AgentWrites.say;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What may be tried on events and leases. */
final class OtherAttempts {
  /** A counter that is there. */
  static final String COUNTER = counterName("shop", "00000000-0000-4000-8000-00000000000a");

  /** One that is not there yet. */
  static final String NEW = counterName("shop", "00000000-0000-4000-8000-00000000000b");

  private OtherAttempts() {}

  private static String counterName(String namespace, String uid) {
    return "probelet-restarts-replicaset." + namespace + "." + uid;
  }

  static List<AccessAttempt> events() {
    String name = "only in the name of its own node " + HERE;
    return List.of(
        allowed("of a pod of its node", c -> say(c, event("a", pods(c, "here").get(), ""))),
        allowed(
            "of a pod that is gone",
            c ->
                say(
                    c,
                    event(
                        "a",
                        new PodBuilder(pods(c, "here").get())
                            .editMetadata()
                            .withName("gone")
                            .endMetadata()
                            .build(),
                        ""))),
        allowed("of its node", c -> say(c, nodeEvent(HERE))),
        allowed(
            "counting its own",
            c -> {
              say(c, event("a", pods(c, "here").get(), ""));
              c.v1()
                  .events()
                  .inNamespace(SHOP)
                  .withName("a")
                  .patch(merge(), "{\"count\": 2, \"message\": \"again\"}");
            }),
        refused(
            "of another node's pod",
            "only about pods of its own node " + HERE,
            c -> say(c, event("a", pods(c, "there").get(), ""))),
        refused(
            "of another node", "only about pods and its own node ", c -> say(c, nodeEvent(THERE))),
        refused(
            "of something else",
            "only about pods and its own node ",
            c ->
                say(
                    c,
                    event("a", pods(c, "here").get(), "")
                        .replace("\"kind\": \"Pod\"", "\"kind\": \"Deployment\""))),
        refused(
            "in another node's name",
            name,
            c ->
                say(
                    c,
                    event("a", pods(c, "here").get(), "")
                        .replace("\"host\": \"" + HERE, "\"host\": \"" + THERE))),
        refused(
            "from another node's agent",
            name,
            c ->
                say(
                    c,
                    event("a", pods(c, "here").get(), "")
                        .replace(
                            "\"reportingInstance\": \"" + HERE,
                            "\"reportingInstance\": \"" + THERE))),
        refused(
            "in the name of the kubelet",
            name,
            c -> say(c, event("a", pods(c, "here").get(), "kubelet"))),
        refused(
            "changing the kubelet's",
            name,
            c ->
                c.v1()
                    .events()
                    .inNamespace(SHOP)
                    .withName("of-the-kubelet")
                    .patch(merge(), "{\"message\": \"no\"}")),
        refused(
            "taking the kubelet's over",
            "may change only its own events",
            c ->
                c.v1()
                    .events()
                    .inNamespace(SHOP)
                    .withName("of-the-kubelet")
                    .patch(merge(), "{\"reportingComponent\": \"probelet\"}")));
  }

  static List<AccessAttempt> leases() {
    String own = "may renew only the lease of its own node " + HERE;
    return List.of(
        allowed(
            "its own, made and renewed",
            c -> {
              renew(c, SYSTEM, HERE);
              renew(c, SYSTEM, HERE);
            }),
        refused("another node's", own, c -> renew(c, SYSTEM, THERE)),
        refused("a leader's", own, c -> renew(c, SYSTEM, "probelet-remediation")),
        refused("a remediator's", own, c -> renew(c, SYSTEM, "node-" + HERE)),
        refused("its own in another namespace", own, c -> renew(c, SHOP, HERE)),
        refused(
            "deleting another node's",
            own,
            c -> c.leases().inNamespace(SYSTEM).withName(THERE).delete()),
        refused(
            "deleting a leader's",
            own,
            c -> c.leases().inNamespace(SYSTEM).withName("probelet-remediation").delete()));
  }

  /** On leases in which restarts are counted. */
  static List<AccessAttempt> counters() {
    String entry = "only restarts on its own node, as restarts.probelet.io/" + HERE;
    String nothing = "may not change other fields of a lease that counts restarts";
    String own = "may renew only the lease of its own node " + HERE;
    String named = "must be named for its workload, and start with one pod";
    String counted = "{\"metadata\": {\"annotations\": {\"restarts.probelet.io/%s\": %s}}}";
    return List.of(
        allowed("a counter of restarts, made", c -> c.resource(counter(NEW, HERE)).create()),
        allowed(
            "its node's entry in one",
            c -> {
              patchCounter(c, counted.formatted(HERE, "\"a,b\""));
              patchCounter(c, counted.formatted(HERE, "null"));
            }),
        refused(
            "another node's entry",
            entry,
            c -> patchCounter(c, counted.formatted(THERE, "\"a,b,c\""))),
        refused(
            "taking another node's entry away",
            entry,
            c -> patchCounter(c, counted.formatted(THERE, "null"))),
        refused(
            "the replicas",
            entry,
            c ->
                patchCounter(
                    c, "{\"metadata\": {\"annotations\": {\"probelet.io/replicas\": \"9\"}}}")),
        refused(
            "the workload",
            entry,
            c ->
                patchCounter(
                    c,
                    "{\"metadata\": {\"annotations\": {\"probelet.io/workload\": \"Job/a/b/c\"}}}")),
        refused(
            "a counter with replicas",
            entry,
            c ->
                c.resource(
                        new LeaseBuilder(counter(NEW, HERE))
                            .editMetadata()
                            .addToAnnotations("probelet.io/replicas", "9")
                            .endMetadata()
                            .build())
                    .create()),
        refused(
            "a counter without its label",
            nothing,
            c ->
                c.resource(
                        new LeaseBuilder(counter(NEW, HERE))
                            .editMetadata()
                            .withLabels(Map.of())
                            .endMetadata()
                            .build())
                    .create()),
        refused(
            "a counter with a holder",
            nothing,
            c ->
                c.resource(
                        new LeaseBuilder(counter(NEW, HERE))
                            .withNewSpec()
                            .withHolderIdentity("me")
                            .endSpec()
                            .build())
                    .create()),
        refused(
            "a counter's label",
            nothing,
            c ->
                patchCounter(c, "{\"metadata\": {\"labels\": {\"probelet.io/restarts\": \"x\"}}}")),
        refused(
            "a counter's holder",
            nothing,
            c -> patchCounter(c, "{\"spec\": {\"holderIdentity\": \"me\"}}")),
        refused(
            "a counter's finalizer",
            nothing,
            c -> patchCounter(c, "{\"metadata\": {\"finalizers\": [\"a.b/c\"]}}")),
        refused(
            "an entry without end",
            "at most 8192 characters",
            c -> patchCounter(c, counted.formatted(HERE, "\"" + "p".repeat(8193) + "\""))),
        refused(
            "a counter of another name",
            named,
            c -> c.resource(counter("probelet-restarts-0", HERE)).create()),
        refused(
            "a counter in another namespace",
            own,
            c ->
                c.resource(
                        new LeaseBuilder(counter(NEW, HERE))
                            .editMetadata()
                            .withNamespace(SHOP)
                            .endMetadata()
                            .build())
                    .create()),
        refused(
            "a counter without its workload",
            named,
            c -> c.resource(annotated("probelet.io/workload", null)).create()),
        refused(
            "a counter of another workload than its name says",
            named,
            c ->
                c.resource(
                        annotated(
                            "probelet.io/workload",
                            "ReplicaSet/shop/web/00000000-0000-4000-8000-00000000000c"))
                    .create()),
        refused(
            "a counter of no workload",
            named,
            c ->
                c.resource(
                        annotated(
                            "probelet.io/workload",
                            "ReplicaSet/shop/"
                                + "x".repeat(254)
                                + "/00000000-0000-4000-8000-00000000000b"))
                    .create()),
        refused(
            "a counter without an entry",
            named,
            c -> c.resource(annotated("restarts.probelet.io/" + HERE, null)).create()),
        refused(
            "a counter with more than one pod",
            named,
            c -> c.resource(annotated("restarts.probelet.io/" + HERE, "x".repeat(254))).create()),
        refused(
            "an entry that is no list of pods",
            "at most 8192 characters",
            c -> patchCounter(c, counted.formatted(HERE, "\"a\\nb\""))),
        refused(
            "deleting a counter",
            own,
            c -> c.leases().inNamespace(SYSTEM).withName(COUNTER).delete()));
  }

  /** One in which pods of a node are entered. */
  static Lease counter(String name, String node) {
    return new LeaseBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(SYSTEM)
        .addToLabels("probelet.io/restarts", "")
        .addToAnnotations(
            "probelet.io/workload",
            "ReplicaSet/shop/web/" + name.substring(name.lastIndexOf('.') + 1))
        .addToAnnotations("restarts.probelet.io/" + node, "a")
        .endMetadata()
        .build();
  }

  private static Lease annotated(String key, @Nullable String value) {
    Lease lease = counter(NEW, HERE);
    if (value == null) {
      lease.getMetadata().getAnnotations().remove(key);
    } else {
      lease.getMetadata().getAnnotations().put(key, value);
    }
    return lease;
  }

  /** A change of this node's entry. */
  static String entry(String json) {
    return "{\"metadata\": {\"annotations\": {\"restarts.probelet.io/%s\": %s}}}"
        .formatted(HERE, json);
  }

  static void patchCounter(KubernetesClient client, String patch) {
    client.leases().inNamespace(SYSTEM).withName(COUNTER).patch(merge(), patch);
  }
}
