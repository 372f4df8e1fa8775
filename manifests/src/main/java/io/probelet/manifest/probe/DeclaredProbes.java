package io.probelet.manifest.probe;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/**
 * The probes of one container in its manifest.
 *
 * @param declared the kinds that exist, valid or not
 */
public record DeclaredProbes(
    Set<ProbeKind> declared, Map<ProbeKind, ProbeSpec> valid, Set<String> portNames) {
  /** Keeps unmodifiable copies of the collections. */
  public DeclaredProbes {
    declared = Set.copyOf(declared);
    valid = Map.copyOf(valid);
    portNames = Set.copyOf(portNames);
  }

  /** Reads the probes of a container. */
  public static DeclaredProbes read(Fields container, Set<String> portNames) {
    ProbeReader reader = new ProbeReader(portNames);
    Set<ProbeKind> declared = EnumSet.noneOf(ProbeKind.class);
    Map<ProbeKind, ProbeSpec> valid = new EnumMap<>(ProbeKind.class);
    for (ProbeKind kind : ProbeKind.values()) {
      Field field = container.field(ProbeReader.fieldName(kind));
      if (field.isPresent()) {
        declared.add(kind);
        ProbeSpec spec = reader.read(field, kind);
        if (spec != null) {
          valid.put(kind, spec);
        }
      }
    }
    return new DeclaredProbes(declared, valid, portNames);
  }

  /** Reports each probe of a container that must not have any. */
  public static void forbid(Fields container, String rule) {
    for (ProbeKind kind : ProbeKind.values()) {
      Field field = container.field(ProbeReader.fieldName(kind));
      if (field.isPresent()) {
        field.forbidden(rule);
      }
    }
  }
}
