package io.probelet.cli.deploy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.yaml.snakeyaml.Yaml;

/** The objects of a manifest in deploy/. */
final class DeployManifests {
  static final Path DEPLOY = Path.of("..", "deploy");
  private static final ObjectMapper JSON = new ObjectMapper();

  private DeployManifests() {}

  static List<JsonNode> file(String name) throws IOException {
    return of(Files.readString(DEPLOY.resolve(name)));
  }

  static List<JsonNode> of(String yaml) {
    List<JsonNode> objects = new ArrayList<>();
    for (Object document : new Yaml().loadAll(yaml)) {
      if (document != null) {
        objects.add(JSON.valueToTree(document));
      }
    }
    return objects;
  }
}
