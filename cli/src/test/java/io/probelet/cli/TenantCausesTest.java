package io.probelet.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.monitor.rule.CheckKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.YAMLException;

/** B-24: no NodeHealthCheck that ships remediates a node for what a tenant can cause. */
class TenantCausesTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern BLOCK = Pattern.compile("```ya?ml\n(.*?)```", Pattern.DOTALL);

  /** Files of users and operators; their folders have no output of a build in them. */
  private static final List<String> SHIPPED =
      List.of("README.md", "deploy", "docs", "examples", "benchmarks/README.md");

  @Test
  @DisplayName("Shipped NodeHealthChecks are about Ready, and about what no tenant can cause")
  void shipped() throws IOException {
    Set<String> allowed = new HashSet<>(CheckKind.conditionsWithoutTenants());
    allowed.add("Ready"); // the kubelet's own
    allowed.add("WorkloadsFailing"); // by pods of namespaces that an administrator trusts
    Set<String> seen = new HashSet<>();
    int checks = 0;
    for (Path file : files()) {
      for (Map<?, ?> check : healthChecks(file)) {
        checks++;
        for (String type : conditions(check)) {
          seen.add(type);
          assertThat(allowed).as("%s remediates for", file).contains(type);
        }
      }
    }
    assertThat(checks).as("NodeHealthChecks found").isGreaterThanOrEqualTo(5);
    assertThat(seen).contains("Ready", "ReadonlyFilesystem");
  }

  @Test
  @DisplayName("What a tenant can fill is not among those conditions, and what it cannot is")
  void conditions() {
    assertThat(CheckKind.conditionsWithoutTenants())
        .contains("ReadonlyFilesystem", "XfsShutdown", "KernelDeadlock", "CperHardwareErrorFatal")
        .doesNotContain("KernelLimitNear", "DiskFull", "ResourceStall", "NetworkProblem");
  }

  private static List<Path> files() throws IOException {
    List<Path> shipped = new ArrayList<>();
    for (String place : SHIPPED) {
      try (Stream<Path> files = Files.walk(ROOT.resolve(place))) {
        files.filter(file -> file.toString().matches(".*\\.(ya?ml|md|tpl)")).forEach(shipped::add);
      }
    }
    return shipped;
  }

  private static List<Map<?, ?>> healthChecks(Path file) throws IOException {
    String text = Files.readString(file);
    Stream<String> documents =
        file.toString().endsWith(".md")
            ? BLOCK.matcher(text).results().map((MatchResult block) -> block.group(1))
            : Stream.of(text);
    return documents
        .filter(each -> each.contains("kind: NodeHealthCheck"))
        .flatMap(each -> documents(file, each))
        .filter(Map.class::isInstance)
        .<Map<?, ?>>map(Map.class::cast)
        .filter(each -> "NodeHealthCheck".equals(each.get("kind")) && each.get("spec") != null)
        .toList();
  }

  private static Stream<Object> documents(Path file, String text) {
    try {
      return StreamSupport.stream(new Yaml().loadAll(text).spliterator(), false).toList().stream();
    } catch (YAMLException template) {
      assertThat(text).as("%s is no YAML", file).doesNotContain("unhealthyConditions");
      return Stream.empty();
    }
  }

  private static List<String> conditions(Map<?, ?> check) {
    Object spec = check.get("spec");
    Object conditions = spec instanceof Map<?, ?> map ? map.get("unhealthyConditions") : null;
    return conditions instanceof List<?> list
        ? list.stream().map(each -> String.valueOf(((Map<?, ?>) each).get("type"))).toList()
        : List.of();
  }
}
