package io.probelet.manifest.pod;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.manifest.policy.Enforcement;
import io.probelet.manifest.policy.PodRules;
import io.probelet.manifest.policy.ProbeOrigin;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The choices that a pod of a cluster makes for itself, within the administrator's limits.
 *
 * @param enforcement its chosen mode; null if it chooses none
 */
record PodChoices(Set<ProbeOrigin> sources, @Nullable Enforcement enforcement) {
  PodChoices {
    sources = Set.copyOf(sources);
  }

  /** Reads the choices and reports each that exceeds its limit, which then has no effect. */
  static PodChoices read(@Nullable Fields annotations, String namespace, PodRules rules) {
    if (annotations == null || !rules.inCluster()) {
      return new PodChoices(rules.sources(namespace, null), null);
    }
    Set<ProbeOrigin> sources = sources(annotations.keyed(ProbeOrigin.KEY), namespace, rules);
    Enforcement enforcement =
        enforcement(annotations.keyed(Enforcement.KEY), rules.mostEnforcement(namespace));
    return new PodChoices(rules.sources(namespace, sources), enforcement);
  }

  private static @Nullable Set<ProbeOrigin> sources(Field field, String namespace, PodRules rules) {
    String text = field.text();
    if (text == null) {
      return null;
    }
    try {
      Set<ProbeOrigin> chosen = ProbeOrigin.parse(text);
      Set<ProbeOrigin> most = rules.mostSources(namespace);
      if (!most.containsAll(chosen)) {
        field.notAllowed("only probes from " + ProbeOrigin.format(most), "sources");
      }
      return chosen;
    } catch (IllegalArgumentException wrong) {
      field.error(String.valueOf(wrong.getMessage()));
      return null;
    }
  }

  private static @Nullable Enforcement enforcement(Field field, Enforcement most) {
    String word = field.text();
    Enforcement chosen = word == null ? null : Enforcement.of(word).orElse(null);
    if (word != null && chosen == null) {
      field.unsupported(Enforcement.words());
    }
    if (chosen != null && chosen.exceeds(most)) {
      field.notAllowed("no more than " + most.word(), "enforcement");
    }
    return chosen;
  }
}
