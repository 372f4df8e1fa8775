package io.probelet.cli.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.probelet.cli.status.AgentClient.Reply;
import io.probelet.web.api.ContainerHealth;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.ManifestsView;
import io.probelet.web.api.NodeView.ConditionView;
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
  private static final int MAX_NAMED = 4;

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
        name == null ? reply.conditions() : List.of(),
        name == null ? reply.unavailable() : List.of(),
        name == null ? reply.manifests() : ManifestsView.VALID);
  }

  /** {@return the part of the selection to list} */
  Reply listed(Reply selected) {
    if (!unhealthyOnly) {
      return selected;
    }
    return new Reply(
        json(selected.json(), selected.containers(), StatusFilter::isUnhealthy),
        selected.containers().stream().filter(StatusFilter::isUnhealthy).toList(),
        selected.conditions().stream()
            .filter(condition -> condition.severity() != Severity.HEALTHY)
            .toList(),
        List.of(),
        selected.manifests());
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

  /** {@return one line: how many containers are not ready, and which conditions are problems} */
  static String summary(Reply selected) {
    List<ContainerView> containers = selected.containers();
    List<ConditionView> problems =
        selected.conditions().stream()
            .filter(condition -> condition.severity() != Severity.HEALTHY)
            .toList();
    long broken = containers.stream().filter(each -> !each.asItShouldBe()).count();
    long doubtful =
        containers.stream()
            .filter(ContainerView::asItShouldBe)
            .filter(StatusFilter::isUnhealthy)
            .count();
    StringBuilder line = new StringBuilder();
    if (containers.isEmpty()) {
      line.append("No containers");
    } else if (broken > 0) {
      line.append("%d of %s not ready".formatted(broken, counted(containers.size(), "container")));
    } else {
      line.append(counted(containers.size(), "container")).append(" ready");
    }
    if (doubtful > 0) {
      line.append(", ").append(doubtful).append(" with probe problems");
    }
    if (selected.manifests().total() > 0) {
      line.append("; ").append(counted(selected.manifests().total(), "invalid manifest"));
    }
    if (!problems.isEmpty()) {
      line.append("; ").append(names(problems));
    }
    return containers.isEmpty() && line.indexOf(";") < 0 ? line + "." : line.toString();
  }

  private static String names(List<ConditionView> problems) {
    List<String> names =
        Severity.worstFirst(problems, ConditionView::severity).stream()
            .limit(MAX_NAMED)
            .map(condition ->
                StatusTable.shortened(condition.type())
                    + (condition.severity() == Severity.UNKNOWN ? " unknown" : ""))
            .toList();
    int more = problems.size() - names.size();
    return String.join(", ", names) + (more == 0 ? "" : " and " + more + " more");
  }

  private static String counted(long number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }
}
