package io.probelet.checks;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** examples/operator, a project outside the build. */
@EnableKubernetesMockClient(crud = true, https = false)
class OperatorExampleTest {
  private static final Path PROJECT = Path.of("../examples/operator");
  private static final ResourceDefinitionContext WEBSITES =
      new ResourceDefinitionContext.Builder()
          .withGroup("websites.example")
          .withVersion("v1")
          .withKind("Website")
          .withPlural("websites")
          .withNamespaced(true)
          .build();

  @TempDir Path classes;
  private KubernetesClient client;

  /** The server waits for the client's connections, and fails after ten seconds. */
  @AfterEach
  void closeClient() {
    client.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"WebsiteOperator", "WebsiteReconciler"})
  @DisplayName("compiles against the library as it is, makes a Deployment, and reports its health")
  void operator(String name) throws Exception {
    compile();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
      Method start =
          loader
              .loadClass("example.website." + name)
              .getDeclaredMethod("start", KubernetesClient.class);
      start.setAccessible(true);
      try (AutoCloseable _ = (AutoCloseable) start.invoke(null, client)) {
        client.genericKubernetesResources(WEBSITES).inNamespace("town").resource(books()).create();

        Awaitility.await().until(() -> web() != null);
        assertThat(web().getSpec().getReplicas()).isEqualTo(2);
        assertThat(web().getMetadata().getOwnerReferences()).hasSize(1);
        Awaitility.await().until(this::condition, "False HealthCheckUnsuccessful"::equals);
      }
    }
  }

  @Test
  @DisplayName("takes this version of the library, and its version of fabric8")
  void versions() throws IOException {
    String example = Files.readString(PROJECT.resolve("pom.xml"));
    String parent = Files.readString(Path.of("../pom.xml"));
    assertThat(example)
        .contains(
            "<probelet.version>" + version(parent, "probelet-parent") + "</probelet.version>");
    assertThat(version(example, "kubernetes-client"))
        .isEqualTo(version(parent, "kubernetes-client-bom"));
    assertThat(version(example, "operator-framework-core"))
        .isEqualTo(version(parent, "operator-framework-core"));
    assertThat(version(example, "slf4j-simple")).isEqualTo(version(parent, "slf4j-api"));
  }

  @Test
  @DisplayName("is an operator of some sixty lines, with java-operator-sdk of forty")
  void length() throws IOException {
    Path operator = PROJECT.resolve("src/main/java/example/website/WebsiteOperator.java");
    assertThat(Files.readAllLines(operator)).hasSizeLessThanOrEqualTo(70);
    Path reconciler = operator.resolveSibling("WebsiteReconciler.java");
    assertThat(Files.readAllLines(reconciler)).hasSizeLessThanOrEqualTo(40);
  }

  private Deployment web() {
    return client.apps().deployments().inNamespace("town").withName("books").get();
  }

  private String condition() {
    GenericKubernetesResource website =
        client.genericKubernetesResources(WEBSITES).inNamespace("town").withName("books").get();
    return website.get("status", "conditions", 0) instanceof Map<?, ?> condition
        ? condition.get("status") + " " + condition.get("reason")
        : "none";
  }

  private static GenericKubernetesResource books() {
    GenericKubernetesResource website = new GenericKubernetesResource();
    website.setApiVersion("websites.example/v1");
    website.setKind("Website");
    website.setMetadata(
        new ObjectMetaBuilder().withName("books").withNamespace("town").withUid("1").build());
    website.setAdditionalProperty("spec", Map.of("image", "web", "replicas", 2));
    return website;
  }

  private void compile() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter errors = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
        Stream<Path> sources = Files.walk(PROJECT.resolve("src/main/java"))) {
      List<Path> java = sources.filter(each -> each.toString().endsWith(".java")).toList();
      List<String> options =
          List.of(
              "-proc:none",
              "--release",
              "21",
              "-d",
              classes.toString(),
              "-cp",
              System.getProperty("java.class.path"));
      boolean compiled =
          compiler
              .getTask(errors, files, null, options, null, files.getJavaFileObjectsFromPaths(java))
              .call();
      assertThat(compiled).as(errors.toString()).isTrue();
    }
  }

  private static String version(String pom, String artifact) {
    Matcher found =
        Pattern.compile(
                "<artifactId>" + artifact + "</artifactId>\\s*(?:<!--.*?-->\\s*)*<version>([^<]+)<")
            .matcher(pom);
    assertThat(found.find()).as(artifact).isTrue();
    return found.group(1);
  }
}
