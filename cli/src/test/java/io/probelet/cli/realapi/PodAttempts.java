package io.probelet.cli.realapi;

import static io.probelet.cli.realapi.AccessAttempt.allowed;
import static io.probelet.cli.realapi.AccessAttempt.refused;
import static io.probelet.cli.realapi.AgentWrites.HERE;
import static io.probelet.cli.realapi.AgentWrites.SHOP;
import static io.probelet.cli.realapi.AgentWrites.THERE;
import static io.probelet.cli.realapi.AgentWrites.evict;
import static io.probelet.cli.realapi.AgentWrites.gate;
import static io.probelet.cli.realapi.AgentWrites.patch;
import static io.probelet.cli.realapi.AgentWrites.podCondition;
import static io.probelet.cli.realapi.AgentWrites.podStatus;
import static io.probelet.cli.realapi.AgentWrites.pods;

import java.util.List;

/** What may be tried on pods. */
final class PodAttempts {
  private PodAttempts() {}

  static List<AccessAttempt> ownPods() {
    String status = "{\"status\": {%s}}";
    String metadata = "{\"metadata\": {%s}}";
    String nothing = "may write only the condition probelet.io/ready in a pod's status";
    String neither = "spec, labels, annotations, finalizers and owners";
    return List.of(
        allowed("the condition probelet.io/ready, applied", c -> gate(c, "here", "True")),
        allowed(
            "the same twice, and False",
            c -> {
              gate(c, "here", "True");
              gate(c, "here", "True");
              gate(c, "here", "False");
            }),
        refused(
            "another node's pod", "pods of its own node " + HERE, c -> gate(c, "there", "True")),
        refused("the condition Ready", nothing, c -> podStatus(c, "here", podCondition("Ready"))),
        refused(
            "another readiness gate",
            nothing,
            c -> podStatus(c, "here", podCondition("example.com/gate"))),
        refused(
            "the phase",
            nothing,
            c -> podStatus(c, "here", status.formatted("\"phase\": \"Failed\""))),
        refused(
            "the address",
            nothing,
            c ->
                podStatus(
                    c,
                    "here",
                    status.formatted(
                        "\"podIP\": \"192.0.2.9\", \"podIPs\": [{\"$patch\": \"replace\"}, {\"ip\": \"192.0.2.9\"}]"))),
        refused(
            "the node's address",
            nothing,
            c ->
                podStatus(
                    c,
                    "here",
                    status.formatted(
                        "\"hostIP\": \"192.0.2.9\", \"hostIPs\": [{\"$patch\": \"replace\"}, {\"ip\": \"192.0.2.9\"}]"))),
        refused(
            "states of containers",
            nothing,
            c ->
                podStatus(
                    c,
                    "here",
                    status.formatted(
                        "\"containerStatuses\": [{\"name\": \"web\", \"image\": \"web:1\", \"imageID\": \"x\","
                            + " \"ready\": false, \"restartCount\": 9}]"))),
        refused(
            "a reason and message",
            nothing,
            c -> podStatus(c, "here", status.formatted("\"reason\": \"Evicted\""))),
        refused(
            "a label by the status",
            neither,
            c -> podStatus(c, "here", metadata.formatted("\"labels\": {\"app\": \"other\"}"))),
        refused(
            "an annotation by the status",
            neither,
            c ->
                podStatus(
                    c,
                    "here",
                    metadata.formatted("\"annotations\": {\"probelet.io/probes\": \"{}\"}"))),
        refused(
            "a finalizer by the status",
            neither,
            c -> podStatus(c, "here", metadata.formatted("\"finalizers\": [\"a.b/c\"]"))),
        refused(
            "a label",
            neither,
            c -> patch(pods(c, "here"), metadata.formatted("\"labels\": {\"app\": \"other\"}"))),
        refused(
            "an owner",
            neither,
            c ->
                patch(
                    pods(c, "here"),
                    metadata.formatted(
                        "\"ownerReferences\": [{\"apiVersion\": \"v1\", \"kind\": \"Node\", \"name\": \"n\","
                            + " \"uid\": \"u\"}]"))),
        refused(
            "its image",
            neither,
            c ->
                patch(
                    pods(c, "here"),
                    "{\"spec\": {\"containers\": [{\"name\": \"web\", \"image\": \"evil:1\"}]}}")),
        allowed("its eviction", c -> evict(c, pods(c, "here").get())),
        refused(
            "another node's eviction",
            "may evict only pods of its own node " + HERE,
            c -> evict(c, pods(c, "there").get())),
        allowed("its deletion", c -> pods(c, "here").delete()),
        refused(
            "another node's deletion",
            "may delete only pods of its own node " + HERE,
            c -> pods(c, "there").delete()),
        refused(
            "deletion of all at once",
            "may delete only pods of its own node " + HERE,
            c ->
                c.raw(
                    "/api/v1/namespaces/" + SHOP + "/pods?labelSelector=on=" + THERE,
                    "DELETE",
                    null)));
  }
}
