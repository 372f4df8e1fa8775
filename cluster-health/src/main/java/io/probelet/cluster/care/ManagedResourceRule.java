package io.probelet.cluster.care;

import static io.probelet.cluster.care.CareConditions.CONTROL_PLANE_HEALTHY;
import static io.probelet.cluster.care.CareConditions.OBSERVABILITY_COMPONENTS_HEALTHY;
import static io.probelet.cluster.care.CareConditions.SYSTEM_COMPONENTS_HEALTHY;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.probelet.document.name.LabelValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Maps a Gardener ManagedResource to a condition type, by its class and label (CH-27). */
public enum ManagedResourceRule {
  /** For the namespace of a shoot. */
  SHOOT("Shoot") {
    @Override
    public List<String> conditionTypes() {
      return List.of(
          CONTROL_PLANE_HEALTHY, OBSERVABILITY_COMPONENTS_HEALTHY, SYSTEM_COMPONENTS_HEALTHY);
    }

    @Override
    boolean mayFeed(String conditionType) { // any label goes
      return !conditionType.isEmpty() && LabelValue.isValid(conditionType);
    }

    @Override
    Optional<String> conditionType(boolean hasClass, @Nullable String label) {
      return Optional.of(
          !hasClass
              ? SYSTEM_COMPONENTS_HEALTHY
              : label == null || label.isEmpty() ? CONTROL_PLANE_HEALTHY : label);
    }
  },

  /** In a seed. */
  SEED("Seed") {
    @Override
    public List<String> conditionTypes() {
      return List.of(SEED_TYPE);
    }

    @Override
    Optional<String> conditionType(boolean hasClass, @Nullable String label) {
      return hasClass ? Optional.of(SEED_TYPE) : Optional.empty();
    }
  },

  /** For the runtime cluster of a garden. */
  GARDEN("Garden") {
    @Override
    public List<String> conditionTypes() {
      return GARDEN_TYPES;
    }

    @Override
    Optional<String> conditionType(boolean hasClass, @Nullable String label) {
      if (label != null && GARDEN_TYPES.contains(label)) {
        return Optional.of(label);
      }
      return Optional.of(hasClass ? RUNTIME : VIRTUAL);
    }
  };

  /** The label that names the condition type. */
  static final String LABEL = "care.gardener.cloud/condition-type";

  /**
   * The namespaces of Gardener's own ManagedResources in a seed and in a garden's runtime cluster.
   */
  private static final List<String> GARDENERS = List.of("garden", "istio-system");

  private static final String RUNTIME = "RuntimeComponentsHealthy";
  private static final String VIRTUAL = "VirtualComponentsHealthy";
  private static final String SEED_TYPE = "SeedSystemComponentsHealthy";
  private static final List<String> GARDEN_TYPES =
      List.of(RUNTIME, VIRTUAL, OBSERVABILITY_COMPONENTS_HEALTHY);

  private final String word;

  ManagedResourceRule(String word) {
    this.word = word;
  }

  /** {@return the word used in the resource} */
  @Override
  public String toString() {
    return word;
  }

  /**
   * {@return the condition types that ManagedResources determine; they are Unknown if these cannot
   * be listed}
   */
  public abstract List<String> conditionTypes();

  /** {@return the condition type that Prometheus checks determine (CH-56)} */
  String observability() {
    return this == SEED ? SEED_TYPE : OBSERVABILITY_COMPONENTS_HEALTHY;
  }

  /** {@return the default namespaces; empty means all} */
  List<String> namespaces() {
    return this == SHOOT ? List.of() : GARDENERS;
  }

  /** {@return whether a ManagedResource may determine this condition type} */
  boolean mayFeed(String conditionType) {
    return conditionTypes().contains(conditionType);
  }

  abstract Optional<String> conditionType(boolean hasClass, @Nullable String label);

  /** {@return the condition type that a ManagedResource determines, empty if none} */
  Optional<String> conditionType(GenericKubernetesResource managedResource) {
    Object type = managedResource.get("spec", "class");
    Map<String, String> labels = managedResource.getMetadata().getLabels();
    return conditionType(
        type instanceof String name && !name.isEmpty(), labels == null ? null : labels.get(LABEL));
  }
}
