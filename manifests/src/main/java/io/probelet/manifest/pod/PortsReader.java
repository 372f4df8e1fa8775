package io.probelet.manifest.pod;

import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.manifest.probe.HandlerReader.PortName;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the ports of a container; probes refer to their names (P-17). */
final class PortsReader {
  private static final List<String> PROTOCOLS = List.of("SCTP", "TCP", "UDP");

  private PortsReader() {}

  /** Returns the numbers by name. */
  static Map<String, Integer> read(Field ports) {
    Map<String, Integer> named = new HashMap<>();
    for (Field item : ports.items()) {
      Fields port = item.object();
      if (port == null) {
        if (!item.isPresent()) {
          item.required("a port with containerPort");
        }
        continue;
      }
      int number = number(port.field("containerPort"));
      name(port.field("name"), number, named);
      protocol(port.field("protocol"));
    }
    return named;
  }

  /** {@return the numbers that are declared, but not for TCP} */
  static Set<Integer> withoutTcp(Field ports) {
    Set<Integer> tcp = new HashSet<>();
    Set<Integer> other = new HashSet<>();
    for (Fields port : FieldRules.objects(ports)) {
      (isTcp(port) ? tcp : other).add(port.field("containerPort").int32(0));
    }
    other.removeAll(tcp);
    return other;
  }

  private static boolean isTcp(Fields port) {
    String protocol = port.field("protocol").text("");
    return protocol.isEmpty() || protocol.equals("TCP");
  }

  private static int number(Field field) {
    int errors = field.errors();
    int number = field.int32(0);
    if (!field.isPresent()) {
      field.required(PortName.NUMBER_RULE);
    } else if (errors == field.errors() && !PortName.isValidNumber(number)) {
      field.invalid(PortName.NUMBER_RULE);
    }
    return number;
  }

  private static void name(Field field, int number, Map<String, Integer> named) {
    String name = field.text("");
    if (name.isEmpty()) {
      return;
    }
    for (String rule : PortName.brokenRules(name)) {
      field.invalid(rule);
    }
    if (named.putIfAbsent(name, number) != null) {
      field.duplicate("another port of the container has this name");
    }
  }

  private static void protocol(Field field) {
    String protocol = field.text("");
    if (!protocol.isEmpty() && !PROTOCOLS.contains(protocol)) {
      field.unsupported(PROTOCOLS);
    }
  }
}
