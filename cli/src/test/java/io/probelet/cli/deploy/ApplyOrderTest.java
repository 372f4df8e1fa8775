package io.probelet.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** {@code kubectl apply -f deploy/} takes the files by their names and does not look ahead. */
class ApplyOrderTest {
  /** Those that every cluster has. */
  private static final Set<String> ALWAYS = Set.of("", "default", "kube-system");

  @Test
  @DisplayName("what is in a namespace comes after it")
  void namespaces() throws IOException {
    Set<String> there = new HashSet<>(ALWAYS);
    for (String file : files()) {
      for (JsonNode object : DeployManifests.file(file)) {
        if (object.path("kind").asText().equals("Namespace")) {
          there.add(object.at("/metadata/name").asText());
        }
        assertThat(there).as("%s", object).contains(object.at("/metadata/namespace").asText());
      }
    }
  }

  private static List<String> files() throws IOException {
    try (Stream<Path> all = Files.list(DeployManifests.DEPLOY)) {
      return all.map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".yaml"))
          .sorted()
          .toList();
    }
  }
}
