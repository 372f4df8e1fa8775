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
 * Which containers a request is about: {@code namespace=NAME} those of one namespace, {@code
 * pod=NAMESPACE/NAME} those of one pod, {@code container=NAME} those of that name; empty for any.
 *
 * @param namespace the namespace, empty for any
 * @param pod the pod's name, empty for any
 * @param container the container's name, empty for any
 */
public record ContainerChoice(String namespace, String pod, String container)
    implements BiPredicate<PodRef, String> {
  /** All containers. */
  public static final ContainerChoice ALL = new ContainerChoice("", "", "");

  private static final int MAX_NAMESPACE = 63;

  /** Longest name of a pod with its namespace. */
  private static final int MAX_LENGTH = MAX_NAMESPACE + 1 + 253;

  /**
   * {@return the containers of a namespace}
   *
   * @param namespace its name; empty for all
   */
  public static ContainerChoice ofNamespace(String namespace) {
    return new ContainerChoice(namespace, "", "");
  }

  /**
   * Reads a request.
   *
   * @throws BadRequest if a pod is not written as a namespace and a name, or is of another
   *     namespace than is asked for
   */
  public static ContainerChoice of(Map<String, List<String>> query) throws BadRequest {
    String pod = query.getOrDefault("pod", List.of("")).getLast();
    String container = query.getOrDefault("container", List.of("")).getLast();
    String namespace = query.getOrDefault("namespace", List.of("")).getLast();
    if (namespace.length() > MAX_NAMESPACE) {
      throw new BadRequest(
          "namespace must have at most %d characters, found %s"
              .formatted(MAX_NAMESPACE, ShortText.beginning(namespace, MAX_NAMESPACE)));
    }
    if (pod.isEmpty()) {
      return new ContainerChoice(namespace, "", container);
    }
    int slash = pod.indexOf('/');
    if (slash < 1 || slash == pod.length() - 1 || pod.length() > MAX_LENGTH) {
      throw new BadRequest(
          "pod must be NAMESPACE/NAME, found %s".formatted(ShortText.beginning(pod, MAX_LENGTH)));
    }
    String ofPod = pod.substring(0, slash);
    if (!namespace.isEmpty() && !namespace.equals(ofPod)) {
      throw new BadRequest("pod and namespace must name the same namespace");
    }
    return new ContainerChoice(ofPod, pod.substring(slash + 1), container);
  }

  @Override
  public boolean test(PodRef ref, String name) {
    return (namespace.isEmpty() || ref.namespace().equals(namespace))
        && (pod.isEmpty() || ref.name().equals(pod))
        && (container.isEmpty() || name.equals(container));
  }

  /**
   * {@return the same as the parameters of an address, the first one after a question mark; those
   * that are empty are left out, and so is the question mark}
   */
  public String parameters() {
    StringBuilder text = new StringBuilder();
    if (!pod.isEmpty()) {
      text.append("&pod=").append(encoded(namespace)).append('/').append(encoded(pod));
    } else if (!namespace.isEmpty()) {
      text.append("&namespace=").append(encoded(namespace));
    }
    if (!container.isEmpty()) {
      text.append("&container=").append(encoded(container));
    }
    if (!text.isEmpty()) {
      text.setCharAt(0, '?');
    }
    return text.toString();
  }

  private static String encoded(String name) {
    return URLEncoder.encode(name, UTF_8);
  }
}
