package io.probelet.cli.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.probelet.cli.status.AgentClient.Reply;
import io.probelet.fleet.terminal.Terminal;
import io.probelet.web.api.ContainerHealth;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.NodeVerdict;
import io.probelet.web.api.NodeView;
import io.probelet.web.api.Severity;
import io.probelet.web.http.ContainerChoice;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The part of an agent's answer that {@code status} shows.
 *
 * @param name containers of this name only; null for all
 * @param namespace containers of this namespace only; null for all
 * @param unhealthyOnly whether healthy containers and conditions are left out
 */
record StatusFilter(
    @Nullable ContainerName name, @Nullable String namespace, boolean unhealthyOnly) {
  private static final int MAX_SUMMARY = 1_024;

  /** Shows everything. */
  static final StatusFilter ALL = new StatusFilter(null, null, false);

  /** {@return whether the user names a pod or a namespace} */
  boolean isNamed() {
    return name != null || namespace != null;
  }

  /** {@return the containers to ask for, at least those that are selected} */
  ContainerChoice choice() {
    return namespace == null ? ContainerChoice.ALL : new ContainerChoice(namespace, "", "");
  }

  /** {@return the answer for the containers that the user names; without the node for one pod} */
  Reply selected(Reply reply) {
    Predicate<ContainerView> wanted = this::selects;
    List<ContainerView> containers = reply.containers().stream().filter(wanted).toList();
    return new Reply(
        containers.size() == reply.containers().size()
            ? reply.json()
            : json(reply.json(), reply.containers(), wanted),
        containers,
        name == null ? reply.node() : NodeView.NONE);
  }

  /** {@return the part of the selection to list} */
  Reply listed(Reply selected) {
    if (!unhealthyOnly) {
      return selected;
    }
    NodeView node = selected.node();
    return new Reply(
        json(selected.json(), selected.containers(), StatusFilter::isUnhealthy),
        selected.containers().stream().filter(StatusFilter::isUnhealthy).toList(),
        new NodeView(
            node.conditions().stream()
                .filter(condition -> condition.severity() != Severity.HEALTHY)
                .toList(),
            node.events(),
            List.of(),
            node.notKnownYet(),
            node.time(),
            node.agent(),
            node.maintenance()));
  }

  private boolean selects(ContainerView each) {
    return (name == null || name.matches(each))
        && (namespace == null || each.namespace().equals(namespace));
  }

  private static boolean isUnhealthy(ContainerView each) {
    return ContainerHealth.of(each).severity() != Severity.HEALTHY;
  }

  /** The agent's own JSON, with the wanted containers only. */
  private static String json(
      String json, List<ContainerView> containers, Predicate<ContainerView> wanted) {
    try {
      ObjectMapper mapper = new ObjectMapper();
      JsonNode all = mapper.readTree(json);
      ArrayNode kept = mapper.createArrayNode();
      for (int i = 0; i < containers.size(); i++) {
        if (wanted.test(containers.get(i))) {
          kept.add(all.path(i));
        }
      }
      return mapper.writeValueAsString(kept);
    } catch (JsonProcessingException impossible) { // it has been parsed before
      throw new IllegalStateException(impossible);
    }
  }

  /** {@return the verdict on the selection, in one line} */
  static String summary(Reply selected) {
    return Terminal.line(
        NodeVerdict.of(selected.containers(), selected.node()).text(), MAX_SUMMARY);
  }
}
