package io.probelet.manifest.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the administrator has set is the most that a pod can have. */
class PolicyRulesTest {
  private static @Nullable Enforcement enforcement(String word) {
    return word.isEmpty() ? null : Enforcement.of(word).orElseThrow();
  }

  private static PodRules rules(
      Enforcement mode, Set<ProbeOrigin> sources, NamespacePolicy policy) {
    NamespaceRule rule = new NamespaceRule(new NamePatterns(List.of("shop")), policy);
    return new PodRules(
        sources,
        Enforcement.OBSERVE,
        Map.of("shop", mode),
        new PolicySettings(Preset.RESTRICTED, List.of(rule), List.of()));
  }

  private static NamespacePolicy bounded(
      @Nullable Enforcement enforcement, @Nullable Set<ProbeOrigin> sources) {
    NamespacePolicy base = NamespacePolicy.RESTRICTED;
    return new NamespacePolicy(
        base.exec(),
        base.hosts(),
        enforcement,
        sources,
        base.shortestPeriod(),
        base.longestRecoveryTime(),
        base.files(),
        List.of());
  }

  @ParameterizedTest(name = "mode {0}, bound {1}, pod {2}: {3}")
  @CsvSource({
    "observe, '', '', observe",
    "observe, '', enforce, observe",
    "observe, '', observe, observe",
    "enforce, '', '', enforce",
    "enforce, '', observe, observe",
    "enforce, '', enforce, enforce",
    "observe, enforce, '', observe",
    "observe, enforce, enforce, enforce",
    "enforce, observe, '', observe",
    "enforce, observe, enforce, observe",
  })
  void enforcement(String mode, String bound, String own, String expected) {
    PodRules rules = rules(enforcement(mode), Set.of(), bounded(enforcement(bound), null));
    assertThat(rules.enforcement("shop", enforcement(own)).word()).isEqualTo(expected);
  }

  @ParameterizedTest(name = "sources {0}, bound {1}, pod {2}: {3}")
  @CsvSource({
    "annotation, '', '', annotation",
    "annotation, '', 'spec,annotation', annotation",
    "annotation, '', spec, none",
    "annotation, '', none, none",
    "'spec,annotation', '', spec, spec",
    "'spec,annotation', annotation, '', annotation",
    "spec, 'spec,annotation', '', spec",
    "spec, 'spec,annotation', annotation, annotation",
  })
  void sources(String set, String bound, String own, String expected) {
    PodRules rules =
        rules(
            Enforcement.ENFORCE,
            ProbeOrigin.parse(set),
            bounded(null, bound.isEmpty() ? null : ProbeOrigin.parse(bound)));
    assertThat(rules.sources("shop", own.isEmpty() ? null : ProbeOrigin.parse(own)))
        .isEqualTo(ProbeOrigin.parse(expected));
  }

  @Test
  @DisplayName("the first entry that matches counts, profiles only where they are for")
  void firstMatch() {
    Profile mesh =
        new Profile("mesh", new NamePatterns(List.of("edge-*")), HostRules.OWN, null, List.of());
    PolicySettings policy =
        new PolicySettings(
            Preset.RESTRICTED,
            List.of(
                new NamespaceRule(new NamePatterns(List.of("edge-1")), NamespacePolicy.RESTRICTED),
                new NamespaceRule(
                    new NamePatterns(List.of("shop", "edge-*")), NamespacePolicy.TRUSTED)),
            List.of(mesh));
    assertThat(policy.of("edge-1").exec()).isFalse();
    assertThat(policy.of("edge-2").exec()).isTrue();
    assertThat(policy.of("shop").exec()).isTrue();
    assertThat(policy.of("shopping").exec()).isFalse();
    assertThat(policy.of("edge-1").profiles()).containsExactly(mesh);
    assertThat(policy.of("shop").profiles()).isEmpty();
  }

  @Test
  @DisplayName("in no preset may an annotation name files of the node")
  void noFiles() {
    for (Preset preset : Preset.values()) {
      assertThat(preset.policy().files()).isFalse();
    }
    assertThat(PodRules.LOCAL.policyOf("any").files()).isTrue();
    assertThat(PodRules.LOCAL.sources("any", null)).isEqualTo(EnumSet.allOf(ProbeOrigin.class));
  }
}
