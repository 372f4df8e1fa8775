package io.probelet.manifest.policy;

import java.util.List;

/**
 * What the administrator allows to the annotations of pods.
 *
 * @param preset for namespaces of which nothing else is said
 * @param namespaces for some namespaces; the first that matches counts
 * @param profiles settings with secrets, which annotations may name
 */
public record PolicySettings(
    Preset preset, List<NamespaceRule> namespaces, List<Profile> profiles) {
  /** The authors of pods are strangers. */
  public static final PolicySettings DEFAULT =
      new PolicySettings(Preset.RESTRICTED, List.of(), List.of());

  /** Keeps unmodifiable copies of the lists. */
  public PolicySettings {
    namespaces = List.copyOf(namespaces);
    profiles = List.copyOf(profiles);
  }

  /** {@return what pods of a namespace may ask for} */
  public NamespacePolicy of(String namespace) {
    NamespacePolicy policy =
        namespaces.stream()
            .filter(rule -> rule.names().matches(namespace))
            .findFirst()
            .map(NamespaceRule::policy)
            .orElse(preset.policy());
    return policy.with(
        profiles.stream().filter(profile -> profile.namespaces().matches(namespace)).toList());
  }
}
