package io.probelet.cli.status;

import io.probelet.web.api.ContainerView;
import io.probelet.web.incident.Incident;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What a user calls containers: POD, NAMESPACE/POD, POD/CONTAINER or all three. */
record ContainerName(List<String> parts) {
  private static final int MAX_PARTS = 3;

  /** What Kubernetes allows in names; a shell takes it as one word. */
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-.a-z0-9]{0,251}[a-z0-9])?");

  /**
   * Reads a name.
   *
   * @throws IllegalArgumentException if it is none; the message is for the user
   */
  static ContainerName parse(String text) {
    List<String> parts = List.of(text.split("/", -1));
    if (parts.size() > MAX_PARTS || parts.contains("")) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is not a pod; write POD, NAMESPACE/POD or POD/CONTAINER");
    }
    return new ContainerName(parts);
  }

  /**
   * {@return whether a container's names can be part of a command that the user copies; an agent
   * may answer anything}
   */
  static boolean isValid(ContainerView each) {
    return Stream.of(each.namespace(), each.pod(), each.container())
        .allMatch(name -> NAME.matcher(name).matches());
  }

  /** {@return whether namespace, pod and container are named} */
  boolean isComplete() {
    return parts.size() == MAX_PARTS;
  }

  boolean matches(ContainerView each) {
    return matches(each.namespace(), each.pod(), each.container());
  }

  boolean matches(Incident each) {
    return matches(each.namespace(), each.pod(), each.container());
  }

  boolean matches(String namespace, String pod, String container) {
    String first = parts.getFirst();
    return switch (parts.size()) {
      case 1 -> pod.equals(first);
      case 2 ->
          (namespace.equals(first) && pod.equals(parts.get(1)))
              || (pod.equals(first) && container.equals(parts.get(1)));
      default ->
          namespace.equals(first) && pod.equals(parts.get(1)) && container.equals(parts.get(2));
    };
  }

  /**
   * Finds the containers of the one pod that is meant.
   *
   * @param all containers of the agent
   * @return at least one, in their order
   * @throws IllegalArgumentException if there is no such container, or in several pods; the message
   *     is for the user
   */
  List<ContainerView> findIn(List<ContainerView> all, NamespaceFilter namespaces) {
    List<ContainerView> found =
        all.stream()
            .filter(this::matches)
            .filter(each -> namespaces.allows(each.namespace()))
            .toList();
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          "the agent has no pod or container " + this + "; `probelet status` lists all");
    }
    if (found.stream().map(ContainerView::namespace).distinct().count() > 1) {
      throw new IllegalArgumentException(
          "several namespaces have a pod " + this + ": choose one with --namespace");
    }
    if (found.stream().map(ContainerView::pod).distinct().count() > 1) {
      throw new IllegalArgumentException(
          this + " names several pods; write NAMESPACE/POD/CONTAINER");
    }
    return found;
  }

  /** {@return whether it is the name of a container, not of a whole pod} */
  boolean namesOnly(ContainerView found) {
    return switch (parts.size()) {
      case 1 -> false;
      case 2 -> !(found.namespace().equals(parts.getFirst()) && found.pod().equals(parts.get(1)));
      default -> true;
    };
  }

  @Override
  public String toString() {
    return String.join("/", parts);
  }
}
