package io.probelet.simulation.api;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The CustomResourceDefinitions of {@code deploy/crds}. */
final class Definitions {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String OWN = ".probelet.io.yaml";
  private static final List<String> REMEDIATIONS =
      List.of("Drain", "Hook", "Machine", "OutOfService", "Reboot", "ServiceRestart");

  /** Read once: each world has them, and changes no stored object. */
  private static final Map<String, ObjectNode> KNOWN = new ConcurrentHashMap<>();

  private Definitions() {}

  /** {@return the kinds, those of the remediators last} */
  static List<String> kinds() {
    List<String> kinds =
        new ArrayList<>(
            List.of("NodeHealthCheck", "RemediationPolicy", "ClusterHealth", "NodeOrder"));
    for (String each : REMEDIATIONS) {
      kinds.add(each + "Remediation");
      kinds.add(each + "RemediationTemplate");
    }
    return kinds;
  }

  /** {@return the definition of a kind, not to be changed} */
  static ObjectNode of(String kind) {
    return KNOWN.computeIfAbsent(kind, Definitions::read);
  }

  private static ObjectNode read(String kind) {
    String lower = kind.toLowerCase(Locale.ROOT);
    String plural =
        lower.endsWith("y") ? lower.substring(0, lower.length() - 1) + "ies" : lower + "s";
    String file =
        kind.equals("NodeHealthCheck")
            ? "nodehealthchecks.remediation.medik8s.io.yaml"
            : plural + OWN;
    try (InputStream in = Definitions.class.getResourceAsStream("/crds/" + file)) {
      if (in == null) {
        throw new IllegalArgumentException("deploy/crds has no " + file);
      }
      Object read = new Yaml(new SafeConstructor(new LoaderOptions())).load(in);
      return JSON.valueToTree(read);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
