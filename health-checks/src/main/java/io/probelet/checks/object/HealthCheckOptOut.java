package io.probelet.checks.object;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.List;
import java.util.Map;

/** Whether an object's owner takes it out of health checks, by annotation (CH-42). */
public final class HealthCheckOptOut {

  private static final List<String> ANNOTATIONS =
      List.of("probelet.io/skip-health-check", "resources.gardener.cloud/skip-health-check");

  private HealthCheckOptOut() {}

  /**
   * {@return whether the object carries one of the annotations with the value {@code true}}
   *
   * @param object any object
   */
  public static boolean holdsFor(HasMetadata object) {
    Map<String, String> annotations =
        object.getMetadata() == null ? null : object.getMetadata().getAnnotations();
    return annotations != null
        && ANNOTATIONS.stream().anyMatch(name -> "true".equals(annotations.get(name)));
  }
}
