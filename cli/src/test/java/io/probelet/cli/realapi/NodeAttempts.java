package io.probelet.cli.realapi;

import static io.probelet.cli.realapi.AccessAttempt.allowed;
import static io.probelet.cli.realapi.AccessAttempt.refused;
import static io.probelet.cli.realapi.AgentWrites.HERE;
import static io.probelet.cli.realapi.AgentWrites.THERE;
import static io.probelet.cli.realapi.AgentWrites.condition;
import static io.probelet.cli.realapi.AgentWrites.nodeStatus;
import static io.probelet.cli.realapi.AgentWrites.patch;

import java.util.List;

/** What may be tried on nodes. */
final class NodeAttempts {
  private NodeAttempts() {}

  static List<AccessAttempt> ownNode() {
    String metadata = "{\"metadata\": {%s}}";
    String status = "{\"status\": {%s}}";
    String conditions = "only the conditions that the policy probelet-agent-nodes names, not ";
    String nothing = "may write only conditions in a node's status";
    return List.of(
        allowed(
            "a condition of a built-in monitor", c -> nodeStatus(c, HERE, condition("DiskFull"))),
        allowed(
            "taking such a condition away",
            c -> {
              nodeStatus(c, HERE, condition("DiskFull"));
              nodeStatus(
                  c,
                  HERE,
                  status.formatted(
                      "\"conditions\": [{\"$patch\": \"delete\", \"type\": \"DiskFull\"}]"));
            }),
        allowed(
            "conditions and marks in one",
            c ->
                nodeStatus(
                    c,
                    HERE,
                    """
                    {"metadata": {"annotations": {"probelet.io/node-conditions": "{}", "probelet.io/node-taints": "[]"},
                                  "labels": {"probelet.io/node-taints": ""}},
                     "status": {"conditions": [{"type": "KernelDeadlock", "status": "True"}]}}\
                    """)),
        refused("Ready", conditions + "Ready", c -> nodeStatus(c, HERE, condition("Ready"))),
        refused(
            "taking Ready away",
            conditions + "Ready",
            c ->
                nodeStatus(
                    c,
                    HERE,
                    status.formatted(
                        "\"conditions\": [{\"$patch\": \"delete\", \"type\": \"Ready\"}]"))),
        refused(
            "MemoryPressure",
            conditions + "MemoryPressure",
            c -> nodeStatus(c, HERE, condition("MemoryPressure"))),
        refused(
            "a condition that nobody configured",
            conditions + "SomethingElse",
            c -> nodeStatus(c, HERE, condition("SomethingElse"))),
        refused(
            "an address",
            nothing,
            c ->
                nodeStatus(
                    c,
                    HERE,
                    status.formatted(
                        "\"addresses\": [{\"type\": \"InternalIP\", \"address\": \"192.0.2.9\"}]"))),
        refused(
            "capacity",
            nothing,
            c -> nodeStatus(c, HERE, status.formatted("\"capacity\": {\"cpu\": \"64\"}"))),
        refused(
            "allocatable",
            nothing,
            c -> nodeStatus(c, HERE, status.formatted("\"allocatable\": {\"cpu\": \"64\"}"))),
        refused(
            "images",
            nothing,
            c -> nodeStatus(c, HERE, status.formatted("\"images\": [{\"names\": [\"evil:1\"]}]"))),
        refused(
            "the kubelet's port",
            nothing,
            c ->
                nodeStatus(
                    c,
                    HERE,
                    status.formatted("\"daemonEndpoints\": {\"kubeletEndpoint\": {\"Port\": 1}}"))),
        refused(
            "its system",
            nothing,
            c ->
                nodeStatus(
                    c, HERE, status.formatted("\"nodeInfo\": {\"kubeletVersion\": \"v0\"}"))),
        refused(
            "volumes that are attached",
            nothing,
            c ->
                nodeStatus(
                    c,
                    HERE,
                    status.formatted(
                        "\"volumesAttached\": [{\"name\": \"v\", \"devicePath\": \"/dev/x\"}]"))),
        refused(
            "taking its addresses away",
            nothing,
            c -> nodeStatus(c, HERE, status.formatted("\"addresses\": null"))),
        refused(
            "another annotation",
            "may write only these annotations of a node:",
            c -> nodeStatus(c, HERE, metadata.formatted("\"annotations\": {\"who\": \"me\"}"))),
        refused(
            "what the leader has noted",
            "may write only these annotations of a node:",
            c ->
                nodeStatus(
                    c,
                    HERE,
                    metadata.formatted(
                        "\"annotations\": {\"probelet.io/node-taints-set\": \"x\"}"))),
        refused(
            "a maintenance",
            "may write only these annotations of a node:",
            c ->
                nodeStatus(
                    c,
                    HERE,
                    metadata.formatted(
                        "\"annotations\": {\"probelet.io/maintenance\": \"2099-01-01T00:00:00Z m\"}"))),
        refused(
            "taking another annotation away",
            "may write only these annotations of a node:",
            c -> nodeStatus(c, HERE, metadata.formatted("\"annotations\": {\"theirs\": null}"))),
        refused(
            "another label",
            "may write only the label probelet.io/node-taints of a node",
            c ->
                nodeStatus(
                    c,
                    HERE,
                    metadata.formatted(
                        "\"labels\": {\"node-role.kubernetes.io/control-plane\": \"\"}"))),
        refused(
            "changing a label",
            "may write only the label probelet.io/node-taints of a node",
            c -> nodeStatus(c, HERE, metadata.formatted("\"labels\": {\"zone\": \"b\"}"))),
        refused(
            "a finalizer",
            "spec, finalizers and owners",
            c -> nodeStatus(c, HERE, metadata.formatted("\"finalizers\": [\"a.b/c\"]"))),
        refused(
            "a taint",
            "spec, finalizers and owners",
            c ->
                patch(
                    c.nodes().withName(HERE),
                    "{\"spec\": {\"taints\": [{\"key\": \"a\", \"effect\": \"NoExecute\"}]}}")),
        refused(
            "another node's condition",
            "may write only to its own node " + HERE,
            c -> nodeStatus(c, THERE, condition("DiskFull"))),
        refused(
            "another node's marks",
            "may write only to its own node " + HERE,
            c ->
                nodeStatus(
                    c,
                    THERE,
                    metadata.formatted("\"annotations\": {\"probelet.io/node-taints\": \"[]\"}"))));
  }
}
