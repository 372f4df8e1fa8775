package io.probelet.agent.realapi;

import static io.probelet.agent.realapi.AccessAttempt.allowed;
import static io.probelet.agent.realapi.AccessAttempt.refused;
import static io.probelet.agent.realapi.AgentWrites.HERE;
import static io.probelet.agent.realapi.AgentWrites.SHOP;
import static io.probelet.agent.realapi.AgentWrites.SYSTEM;
import static io.probelet.agent.realapi.AgentWrites.THERE;
import static io.probelet.agent.realapi.AgentWrites.event;
import static io.probelet.agent.realapi.AgentWrites.merge;
import static io.probelet.agent.realapi.AgentWrites.nodeEvent;
import static io.probelet.agent.realapi.AgentWrites.pods;
import static io.probelet.agent.realapi.AgentWrites.renew;
import static io.probelet.agent.realapi.AgentWrites.say;

import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.List;

/** What may be tried on events and leases. */
final class OtherAttempts {
  private OtherAttempts() {}

  static List<AccessAttempt> events() {
    String name = "in the name of its own node only, which is " + HERE;
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
            "reports on pods of its own node only, which is " + HERE,
            c -> say(c, event("a", pods(c, "there").get(), ""))),
        refused(
            "of another node",
            "reports on pods and of its own node only",
            c -> say(c, nodeEvent(THERE))),
        refused(
            "of something else",
            "reports on pods and of its own node only",
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
            "changes its own events only",
            c ->
                c.v1()
                    .events()
                    .inNamespace(SHOP)
                    .withName("of-the-kubelet")
                    .patch(merge(), "{\"reportingComponent\": \"probelet\"}")));
  }

  static List<AccessAttempt> leases() {
    String own = "renews the lease of its own node only, which is " + HERE;
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
}
