package io.probelet.cli.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Holds the table of rights in docs/operate/security.md to the roles in deploy/. */
class SecurityDocTest {
  /** Its one account has the rights of both, so that it says nothing about whose they are. */
  private static final String VIEWER = "variants/viewer.yaml";

  private static final String BOTH = "variants/all-in-one.yaml";

  private static final String AGGREGATED = "-base";

  /**
   * A rule of a role as the table has it.
   *
   * @param role its name, and after "in" its namespace
   * @param on resources with their groups, and after "named" the names of objects; or URLs
   * @param verbs what may be done
   */
  private record Right(String role, String on, String verbs) implements Comparable<Right> {
    @Override
    public int compareTo(Right other) {
      return toString().compareTo(other.toString());
    }
  }

  @Test
  @DisplayName("docs: every rule of every role in deploy/, and no other, each with a reason")
  void rights() throws IOException {
    Set<Right> told = new TreeSet<>();
    for (List<String> row : table()) {
      assertThat(told.add(new Right(row.get(2), row.get(3), row.get(4)))).as("%s", row).isTrue();
      assertThat(row.get(5)).as("%s", row).isNotBlank();
    }
    Set<Right> there = new TreeSet<>();
    for (String file : files()) {
      for (JsonNode object : DeployManifests.file(file)) {
        if (object.path("kind").asText().endsWith("Role")) {
          object.path("rules").forEach(rule -> there.add(right(object, rule)));
        }
      }
    }
    assertThat(told).isEqualTo(there);
  }

  @Test
  @DisplayName("docs: whose each role is")
  void holders() throws IOException {
    Map<String, Set<String>> told = new TreeMap<>();
    for (List<String> row : table()) {
      told.computeIfAbsent(row.get(2).replace(AGGREGATED, ""), _ -> new TreeSet<>())
          .add(row.get(1));
    }
    Map<String, Set<String>> there = new TreeMap<>();
    for (String file : files()) {
      for (JsonNode object : DeployManifests.file(file)) {
        if (object.path("kind").asText().endsWith("RoleBinding") && !file.equals(BOTH)) {
          String role = placed(object.at("/roleRef/name").asText(), object);
          for (JsonNode subject : object.path("subjects")) {
            there
                .computeIfAbsent(role, _ -> new TreeSet<>())
                .add(subject.path("name").asText().replace("probelet-", ""));
          }
        }
      }
    }
    there.remove("`probelet-ext-remediation`"); // others' rules; said below the table
    for (String file : files()) {
      for (JsonNode object : DeployManifests.file(file)) {
        if (object.path("kind").asText().equals("ClusterRole")
            && (file.startsWith("remediators/")
                || file.startsWith("workload-evidence/")
                || file.equals(VIEWER))) {
          there.putIfAbsent(
              placed(object.at("/metadata/name").asText(), object),
              Set.of(
                  object.at("/metadata/labels").isEmpty()
                      ? "nobody, until you bind it"
                      : "NodeHealthCheck controllers"));
        }
      }
    }
    assertThat(told).isEqualTo(there);
  }

  private static Right right(JsonNode role, JsonNode rule) {
    List<String> on = new ArrayList<>(texts(rule.path("nonResourceURLs")));
    for (JsonNode group : rule.path("apiGroups")) {
      for (JsonNode resource : rule.path("resources")) {
        on.add(
            group.asText().isEmpty()
                ? resource.asText()
                : resource.asText() + "." + group.asText());
      }
    }
    List<String> names = texts(rule.path("resourceNames"));
    return new Right(
        placed(role.at("/metadata/name").asText(), role),
        code(on) + (names.isEmpty() ? "" : " named " + code(names)),
        String.join(", ", texts(rule.path("verbs"))));
  }

  private static String placed(String name, JsonNode object) {
    JsonNode namespace = object.at("/metadata/namespace");
    return "`" + name + "`" + (namespace.isTextual() ? " in `" + namespace.asText() + "`" : "");
  }

  private static List<String> texts(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false).map(JsonNode::asText).toList();
  }

  private static String code(List<String> words) {
    return words.stream().map(word -> "`" + word + "`").collect(Collectors.joining(", "));
  }

  private static List<List<String>> table() throws IOException {
    return Files.readAllLines(Path.of("..", "docs", "operate", "security.md")).stream()
        .dropWhile(line -> !line.startsWith("| who | role |"))
        .skip(2)
        .takeWhile(line -> line.startsWith("|"))
        .map(line -> Arrays.stream(line.split("\\|", -1)).map(String::strip).toList())
        .toList();
  }

  /** Those of objects, not of patches. */
  private static List<String> files() throws IOException {
    try (Stream<Path> all = Files.walk(DeployManifests.DEPLOY, 2)) {
      return all.filter(file -> file.toString().endsWith(".yaml"))
          .map(file -> DeployManifests.DEPLOY.relativize(file).toString())
          .filter(name -> !name.startsWith("helm") && !name.endsWith("-patch.yaml"))
          .sorted()
          .toList();
    }
  }
}
