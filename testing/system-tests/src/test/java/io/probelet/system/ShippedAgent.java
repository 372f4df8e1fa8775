package io.probelet.system;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.runtime.cri.ContainerAccess;
import io.probelet.runtime.cri.ContainerAccess.Mount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.Yaml;

/**
 * The agent's container as {@code deploy/daemonset.yaml} with the patch for node monitoring has it:
 * its arguments, environment, rights and mounts. Of the node it is what a test needs.
 */
final class ShippedAgent {
  private static final Path DEPLOY = Path.of("..", "..", "deploy");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path folder;
  private final Path socket;
  private final Path root;
  private final JsonNode daemonSet;
  private final JsonNode configMap;
  private final JsonNode patch;

  /** Reads the files. */
  ShippedAgent(Path folder, Path socket, Path root) throws IOException {
    this.folder = folder;
    this.socket = socket;
    this.root = root;
    daemonSet = object("daemonset.yaml", "DaemonSet").at("/spec/template/spec");
    configMap = object("daemonset.yaml", "ConfigMap");
    patch = object("variants/node-monitor-patch.yaml", "").at("/spec/template/spec");
  }

  private static JsonNode object(String file, String kind) throws IOException {
    for (Object document : new Yaml().loadAll(Files.readString(DEPLOY.resolve(file)))) {
      JsonNode object = JSON.valueToTree(document);
      if (object.path("kind").asText().equals(kind)) {
        return object;
      }
    }
    throw new AssertionError(file + " has no " + kind);
  }

  private JsonNode container() {
    return daemonSet.at("/containers/0");
  }

  private JsonNode patched() {
    return patch.at("/containers/0");
  }

  List<String> arguments() {
    return texts(patched().path("args"));
  }

  private static List<String> texts(JsonNode list) {
    List<String> texts = new ArrayList<>();
    list.forEach(text -> texts.add(text.asText()));
    return texts;
  }

  /** What the kubelet would fill in among it. */
  Map<String, String> environment(String apiServer) {
    Map<String, String> facts =
        Map.of(
            "spec.nodeName", "here",
            "status.hostIP", "127.0.0.1",
            "metadata.namespace", "probelet-system");
    Map<String, String> environment = new HashMap<>();
    for (JsonNode variable : container().path("env")) {
      String field = variable.at("/valueFrom/fieldRef/fieldPath").asText();
      environment.put(
          variable.path("name").asText(),
          field.isEmpty() ? variable.path("value").asText() : facts.get(field));
    }
    environment.computeIfPresent(
        "PROBELET_RUNTIME_ENDPOINT",
        (_, endpoint) -> endpoint.replace("containerd.sock", socket.getFileName().toString()));
    environment.put("KUBERNETES_MASTER", apiServer);
    return environment;
  }

  /** User, capabilities and mounts; the configuration has another port. */
  ContainerAccess access(int port, Mount... more) throws IOException {
    List<Mount> mounts = new ArrayList<>(List.of(more));
    for (JsonNode pod : List.of(daemonSet, patch)) {
      for (JsonNode mount : pod.at("/containers/0/volumeMounts")) {
        mounts.add(
            new Mount(
                mount.path("mountPath").asText(),
                source(pod.path("volumes"), mount.path("name").asText(), port),
                mount.path("readOnly").asBoolean(),
                mount.path("mountPropagation").asText().equals("HostToContainer")
                    && rootIsShared()));
      }
    }
    return new ContainerAccess(
        container().at("/securityContext/runAsUser").asLong(),
        texts(patched().at("/securityContext/capabilities/add")),
        mounts);
  }

  /** As systemd makes it; elsewhere no runtime starts a container that follows it. */
  private static boolean rootIsShared() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
        .anyMatch(line -> line.split(" ", 6)[4].equals("/") && line.contains(" shared:"));
  }

  private Path source(JsonNode volumes, String name, int port) throws IOException {
    for (JsonNode volume : volumes) {
      if (volume.path("name").asText().equals(name)) {
        String host = volume.at("/hostPath/path").asText();
        return switch (host) {
          case "/" -> root;
          case "/run/containerd" -> socket.getParent();
          default -> content(volume, Files.createDirectories(folder.resolve(name)), port);
        };
      }
    }
    throw new AssertionError("no volume " + name);
  }

  private Path content(JsonNode volume, Path target, int port) throws IOException {
    if (volume.has("configMap")) {
      String text = configMap.at("/data/agent.yaml").asText();
      Files.writeString(target.resolve("agent.yaml"), text.replace(":20258", ":" + port));
    }
    return target;
  }
}
