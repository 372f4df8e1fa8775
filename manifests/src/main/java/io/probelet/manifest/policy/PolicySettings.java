package io.probelet.manifest.policy;

import java.util.List;

/**
 * The administrator's limits for the annotations of pods.
 *
 * @param preset for namespaces without an entry
 * @param namespaces for some namespaces; the first match applies
 * @param profiles settings with secrets, which annotations may name
 */
public record PolicySettings(
    Preset preset, List<NamespaceRule> namespaces, List<Profile> profiles) {
  /** Pod authors are untrusted. */
  public static final PolicySettings DEFAULT =
      new PolicySettings(Preset.RESTRICTED, List.of(), List.of());

  /** Keeps unmodifiable copies of the lists. */
  public PolicySettings {
    namespaces = List.copyOf(namespaces);
    profiles = List.copyOf(profiles);
  }

  /** {@return the limits for pods of a namespace} */
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
