package io.probelet.cli.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfiguration;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingWebhookConfigurationBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.probelet.cluster.webhook.WebhookPolicy;
import io.probelet.cluster.webhook.WebhookRemediation;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** An operator who takes back what remediation did. */
@Timeout(300)
@EnableKubernetesMockClient(crud = true, https = false)
class WebhooksCommandTest {
  @TempDir Path home;
  private KubernetesMockServer server;
  private KubernetesClient client;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private String other = "http://127.0.0.1:1";

  /** The server waits for the client's connections, and fails after ten seconds. */
  @AfterEach
  void closeClient() {
    client.close();
  }

  private int run(String... arguments) throws Exception {
    Path kubeconfig =
        Files.writeString(
            home.resolve("kubeconfig"),
            """
            apiVersion: v1
            kind: Config
            current-context: mock
            contexts:
            - {name: mock, context: {cluster: mock, user: mock}}
            - {name: empty, context: {cluster: empty, user: mock}}
            clusters:
            - {name: mock, cluster: {server: "%s"}}
            - {name: empty, cluster: {server: "%s"}}
            users: [{name: mock, user: {token: x}}]
            """
                .formatted(server.url("/"), other));
    String[] all = new String[arguments.length + 2];
    all[0] = "undo";
    all[1] = "--kubeconfig=" + kubeconfig;
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    return new CommandLine(new WebhooksCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(all);
  }

  private ValidatingWebhookConfiguration remediated() {
    ValidatingWebhookConfiguration slow =
        new ValidatingWebhookConfigurationBuilder()
            .withNewMetadata()
            .withName("guard")
            .endMetadata()
            .addNewWebhook()
            .withName("a.example.org")
            .withFailurePolicy("Fail")
            .withTimeoutSeconds(30)
            .addNewRule()
            .addToApiGroups("coordination.k8s.io")
            .addToApiVersions("*")
            .addToOperations("*")
            .addToResources("leases")
            .endRule()
            .endWebhook()
            .build();
    ValidatingWebhookConfiguration harmless =
        new WebhookRemediation(WebhookPolicy.DEFAULT).remediate(slow).configuration();
    assertThat(harmless.getWebhooks().getFirst().getTimeoutSeconds()).isEqualTo(3);
    return client.resource(harmless).create();
  }

  @Test
  @DisplayName("--context changes another cluster and nothing in the current one")
  void context() throws Exception {
    ValidatingWebhookConfiguration before = remediated();
    HttpServer nothing =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    nothing.start();
    try {
      other = "http://127.0.0.1:" + nothing.getAddress().getPort();
      assertThat(run("--context=empty", "guard")).as(err::toString).isEqualTo(1);
    } finally {
      nothing.stop(0);
    }
    assertThat(stored()).isEqualTo(before);
    assertThat(run("--context=none", "guard")).isEqualTo(2);
    assertThat(run("--context=mock", "guard")).as(err::toString).isZero();
    assertThat(stored()).isNotEqualTo(before);
  }

  private ValidatingWebhookConfiguration stored() {
    return client
        .admissionRegistration()
        .v1()
        .validatingWebhookConfigurations()
        .withName("guard")
        .get();
  }

  @Test
  @DisplayName("CH-34 reverts webhook remediation and prints each change")
  void undone() throws Exception {
    remediated();
    assertThat(run("guard")).isZero();
    assertThat(err.toString()).isEmpty();
    assertThat(out.toString())
        .contains(
            "ValidatingWebhookConfiguration guard: timeoutSeconds of webhook \"a.example.org\"")
        .contains("3 → 30")
        .endsWith(": reverted\n");
    assertThat(stored().getWebhooks().getFirst().getTimeoutSeconds()).isEqualTo(30);
    assertThat(stored().getMetadata().getAnnotations()).isNullOrEmpty();
    assertThat(run("guard")).isZero();
    assertThat(out.toString()).endsWith("unchanged, Probelet has not modified it\n");
  }

  @Test
  @DisplayName("CH-34 a dry run prints and changes nothing; a missing name is reported")
  void dryRunAndMissing() throws Exception {
    ValidatingWebhookConfiguration before = remediated();
    assertThat(run("--dry-run", "guard", "nobody")).isEqualTo(1);
    assertThat(out.toString()).contains("3 → 30").endsWith("would be reverted\n");
    assertThat(err.toString()).contains("there is no webhook configuration nobody");
    assertThat(stored()).isEqualTo(before);
  }

  @Test
  @DisplayName("CH-34 reports a corrupt annotation and changes nothing")
  void unreadable() throws Exception {
    ValidatingWebhookConfiguration stored = remediated();
    stored.getMetadata().getAnnotations().replaceAll((key, value) -> "[");
    client.resource(stored).update();
    assertThat(run("guard")).isEqualTo(2);
    assertThat(err.toString()).startsWith("probelet webhooks undo: ").contains("guard");
    assertThat(stored().getWebhooks().getFirst().getTimeoutSeconds()).isEqualTo(3);
  }
}
