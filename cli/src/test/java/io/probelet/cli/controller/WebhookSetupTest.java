package io.probelet.cli.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.controller.remediation.WebhookServer;
import io.probelet.controller.remediation.WebhookSetup;
import io.probelet.health.SystemClock;
import io.probelet.kube.certificate.CertificateFolder;
import io.probelet.kube.certificate.CertificateFolder.Found;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;
import picocli.CommandLine;

/**
 * What {@code probelet webhook-setup} prints is what deploy/ mounts, and what the API server asks.
 */
class WebhookSetupTest {
  private static final Path DEPLOY = Path.of("..", "deploy");

  private final StringWriter err = new StringWriter();
  @TempDir Path directory;

  private List<JsonNode> printed(String... arguments) {
    StringWriter out = new StringWriter();
    int code =
        new CommandLine(new WebhookSetupCommand())
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(arguments);
    assertThat(code).isEqualTo(err.toString().isEmpty() ? 0 : 2);
    return objects(out.toString());
  }

  private static List<JsonNode> objects(String yaml) {
    List<JsonNode> objects = new ArrayList<>();
    for (Object document : new Yaml().loadAll(yaml)) {
      objects.add(new ObjectMapper().valueToTree(document));
    }
    return objects;
  }

  private static List<JsonNode> file(String name) throws IOException {
    return objects(Files.readString(DEPLOY.resolve(name)));
  }

  @Test
  @DisplayName("B2 the API server trusts the authority's certificates for our Service")
  void complete() throws Exception {
    JsonNode secret = printed().getFirst();
    JsonNode client = printedConfiguration().at("/webhooks/0/clientConfig");
    for (String key : List.of("ca.crt", "ca.key")) {
      Files.write(directory.resolve(key), secret.path("data").path(key).binaryValue());
    }
    Found found =
        new CertificateFolder(
                directory,
                List.of(WebhookSetup.dnsName("probelet-webhook", "probelet-system")),
                SystemClock.INSTANCE)
            .read();
    assertThat(found).isInstanceOf(Found.Certificate.class);

    JsonNode service =
        file("remediation.yaml").stream()
            .filter(object -> object.path("kind").asText().equals("Service"))
            .findFirst()
            .orElseThrow();
    assertThat(client.at("/service/name")).isEqualTo(service.at("/metadata/name"));
    assertThat(client.at("/service/namespace")).isEqualTo(service.at("/metadata/namespace"));
    assertThat(client.at("/service/path").asText()).isEqualTo(WebhookServer.PATH);
    assertThat(Files.readString(DEPLOY.resolve("controller.yaml")))
        .contains("name: " + secret.at("/metadata/name").asText() + "\n");
  }

  private JsonNode printedConfiguration() {
    List<JsonNode> objects = printed();
    JsonNode configuration = objects.getLast();
    assertThat(configuration.at("/webhooks/0/clientConfig/caBundle"))
        .isEqualTo(objects.getFirst().path("data").path("ca.crt"));
    return configuration;
  }

  @Test
  @DisplayName("D-21 readiness gates are asked for only with the option, of the same authority")
  void readinessGates() {
    assertThat(printed()).hasSize(2);
    List<JsonNode> objects = printed("--readiness-gates");
    assertThat(objects).hasSize(3);
    JsonNode webhook = objects.getLast().at("/webhooks/0");
    assertThat(webhook.at("/clientConfig/caBundle"))
        .isEqualTo(objects.getFirst().path("data").path("ca.crt"));
    assertThat(webhook.at("/clientConfig/service/path").asText())
        .isEqualTo(WebhookServer.GATE_PATH);
    assertThat(webhook.path("failurePolicy").asText()).isEqualTo("Ignore");
    assertThat(webhook.path("namespaceSelector").path("matchLabels").size()).isEqualTo(1);
  }

  @Test
  @DisplayName("every run makes a new key, and names cannot inject YAML")
  void names() {
    assertThat(printed().getFirst().at("/data/ca.key"))
        .isNotEqualTo(printed().getFirst().at("/data/ca.key"));
    assertThat(printed("--namespace=x: y").isEmpty()).isTrue();
    assertThat(err).asString().contains("\"x: y\" is not a name");
  }
}
