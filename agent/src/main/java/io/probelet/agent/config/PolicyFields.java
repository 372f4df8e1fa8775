package io.probelet.agent.config;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.health.GoDuration;
import io.probelet.manifest.policy.Enforcement;
import io.probelet.manifest.policy.HostRule;
import io.probelet.manifest.policy.HostRules;
import io.probelet.manifest.policy.NamePatterns;
import io.probelet.manifest.policy.NamespacePolicy;
import io.probelet.manifest.policy.NamespaceRule;
import io.probelet.manifest.policy.PolicySettings;
import io.probelet.manifest.policy.Preset;
import io.probelet.manifest.policy.ProbeOrigin;
import io.probelet.probe.ProbeSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the section {@code policy}: what pods may ask for. */
final class PolicyFields {
  private static final Pattern NAMESPACE = Pattern.compile("(?=.)[-a-z0-9]*\\*?");

  private PolicyFields() {}

  static PolicySettings read(Field field) {
    Fields section = field.object();
    if (section == null) {
      return PolicySettings.DEFAULT;
    }
    Preset preset = preset(section.field("preset"), PolicySettings.DEFAULT.preset());
    List<NamespaceRule> rules = new ArrayList<>();
    for (Field item : section.field("namespaces").items()) {
      Fields rule = item.object();
      if (rule != null) {
        rules.add(new NamespaceRule(names(rule.field("names")), policy(rule, preset)));
        rule.rejectUnknown(Set.of());
      }
    }
    PolicySettings read =
        new PolicySettings(preset, rules, ProfileFields.read(section.field("profiles")));
    section.rejectUnknown(Set.of());
    return read;
  }

  private static Preset preset(Field field, Preset absent) {
    String word = field.text();
    if (word == null) {
      return absent;
    }
    return Preset.of(word)
        .orElseGet(() -> {
          field.unsupported(Preset.words());
          return absent;
        });
  }

  /** Reads the names of namespaces, of which there must be some. */
  static NamePatterns names(Field field) {
    List<String> names = new ArrayList<>();
    for (Field item : field.items()) {
      String name = item.text("");
      if (NAMESPACE.matcher(name).matches()) {
        names.add(name);
      } else {
        item.invalid("must be the name of a namespace, optionally with * at the end");
      }
    }
    if (!field.isPresent() || (field.isList() && field.items().isEmpty())) {
      field.required("the namespaces it applies to, such as [shop, \"edge-*\"]");
    }
    return new NamePatterns(names);
  }

  private static NamespacePolicy policy(Fields rule, Preset general) {
    NamespacePolicy preset = preset(rule.field("preset"), general).policy();
    return new NamespacePolicy(
        rule.field("exec").bool(preset.exec()),
        hosts(rule.field("hosts"), preset.hosts()),
        enforcement(rule.field("enforcement"), preset.enforcement()),
        sources(rule.field("sources"), preset.sources()),
        shortestPeriod(rule.field("shortestPeriod"), preset.shortestPeriod()),
        longestRecoveryTime(rule.field("longestRecoveryTime"), preset.longestRecoveryTime()),
        preset.files(),
        preset.profiles());
  }

  /** Reads hosts; a probe may go to its own pod in any case. */
  private static HostRules hosts(Field field, HostRules absent) {
    if (!field.isPresent()) {
      return absent;
    }
    List<HostRule> rules = new ArrayList<>(HostRules.OWN.rules());
    rules.addAll(hosts(field).rules());
    return new HostRules(rules);
  }

  static HostRules hosts(Field field) {
    List<HostRule> rules = new ArrayList<>();
    for (Field item : field.items()) {
      String text = item.text();
      if (text == null) {
        continue;
      }
      try {
        rules.add(HostRule.parse(text));
      } catch (IllegalArgumentException wrong) {
        item.invalid(String.valueOf(wrong.getMessage()));
      }
    }
    return new HostRules(rules);
  }

  private static @Nullable Enforcement enforcement(Field field, @Nullable Enforcement absent) {
    String word = field.text();
    Enforcement read = word == null ? absent : Enforcement.of(word).orElse(null);
    if (word != null && read == null) {
      field.unsupported(Enforcement.words());
    }
    return read;
  }

  private static @Nullable Set<ProbeOrigin> sources(
      Field field, @Nullable Set<ProbeOrigin> absent) {
    return field.isPresent() ? origins(field) : absent;
  }

  static Set<ProbeOrigin> origins(Field field) {
    Set<ProbeOrigin> origins = EnumSet.noneOf(ProbeOrigin.class);
    for (Field item : field.items()) {
      ProbeOrigin.of(item.text(""))
          .ifPresentOrElse(origins::add, () -> item.unsupported(ProbeOrigin.words()));
    }
    return origins;
  }

  private static Duration shortestPeriod(Field field, Duration absent) {
    Duration value = field.duration();
    if (value == null) {
      return absent;
    }
    if (value.compareTo(ProbeSpec.SHORTEST) < 0) {
      field.invalid("must be at least " + GoDuration.format(ProbeSpec.SHORTEST));
      return absent;
    }
    return value;
  }

  private static Duration longestRecoveryTime(Field field, Duration absent) {
    Duration value = field.duration();
    if (value == null) {
      return absent;
    }
    if (value.isNegative() || value.compareTo(ProbeSpec.LONGEST_RECOVERY_TIME) > 0) {
      field.invalid("must be from 0s to " + GoDuration.format(ProbeSpec.LONGEST_RECOVERY_TIME));
      return absent;
    }
    return value;
  }
}
