package io.probelet.web.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.probelet.health.ShortText;
import io.probelet.probe.PodRef;
import io.probelet.web.http.Resource.BadRequest;
import java.net.URLEncoder;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/**
 * Which containers a request is about: {@code pod=NAMESPACE/NAME} those of one pod, {@code
 * container=NAME} those of that name; empty for any.
 *
 * @param namespace the pod's namespace, empty for any
 * @param pod the pod's name, empty for any
 * @param container the container's name, empty for any
 */
public record ContainerChoice(String namespace, String pod, String container)
    implements BiPredicate<PodRef, String> {
  /** Longest name of a pod with its namespace. */
  private static final int MAX_LENGTH = 63 + 1 + 253;

  /**
   * Reads a request.
   *
   * @throws BadRequest if a pod is not written as a namespace and a name
   */
  public static ContainerChoice of(Map<String, List<String>> query) throws BadRequest {
    String pod = query.getOrDefault("pod", List.of("")).getLast();
    String container = query.getOrDefault("container", List.of("")).getLast();
    if (pod.isEmpty()) {
      return new ContainerChoice("", "", container);
    }
    int slash = pod.indexOf('/');
    if (slash < 1 || slash == pod.length() - 1 || pod.length() > MAX_LENGTH) {
      throw new BadRequest(
          "pod must be NAMESPACE/NAME, found %s".formatted(ShortText.beginning(pod, MAX_LENGTH)));
    }
    return new ContainerChoice(pod.substring(0, slash), pod.substring(slash + 1), container);
  }

  @Override
  public boolean test(PodRef ref, String name) {
    return (pod.isEmpty() || (ref.namespace().equals(namespace) && ref.name().equals(pod)))
        && (container.isEmpty() || name.equals(container));
  }

  /** {@return the same as the parameters of an address; those that are empty are left out} */
  public String parameters() {
    String ofPod = encoded(namespace) + "/" + encoded(pod);
    return "?pod=" + ofPod + (container.isEmpty() ? "" : "&container=" + encoded(container));
  }

  private static String encoded(String name) {
    return URLEncoder.encode(name, UTF_8);
  }
}
