package io.probelet.monitor.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.probelet.kube.certificate.CertificateAuthority;
import io.probelet.monitor.availability.UnavailableException;
import io.probelet.monitor.check.NodeCheckResult.Problem;
import io.probelet.monitor.rule.CheckSpec;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificatesCheckTest {
  private static final String KEY =
      "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n";

  @TempDir Path root;
  private PretendedNode node;

  @BeforeEach
  void start() {
    node = new PretendedNode(root);
  }

  private static String pem(Duration validity) throws Exception {
    byte[] der =
        CertificateAuthority.make("node", PretendedNode.NOW, validity).certificate().getEncoded();
    return "-----BEGIN CERTIFICATE-----\n"
        + Base64.getMimeEncoder().encodeToString(der)
        + "\n-----END CERTIFICATE-----\n";
  }

  private NodeCheckResult run(String... files) throws IOException {
    List<Path> paths = List.of(files).stream().map(Path::of).toList();
    return new CertificatesCheck(
            new CheckSpec.Certificates(paths, Duration.ofDays(7)), node.machine())
        .run();
  }

  @Test
  @DisplayName("B-9 the first certificate of a file to expire counts; keys are ignored")
  void expiry() throws Exception {
    node.file("/etc/good.pem", KEY + pem(Duration.ofDays(8)))
        .file("/etc/soon.pem", pem(Duration.ofDays(30)) + KEY + pem(Duration.ofDays(6)))
        .file("/etc/gone.pem", pem(Duration.ofMinutes(-1)));
    assertThat(run("/etc/good.pem")).isEqualTo(NodeCheckResult.OK);
    assertThat(run("/etc/good.pem", "/etc/soon.pem", "/etc/gone.pem"))
        .isEqualTo(
            new Problem(
                "/etc/soon.pem expires on 2026-11-27T12:00:00Z,"
                    + " /etc/gone.pem expired on 2026-11-21T11:59:00Z"));
  }

  @Test
  @DisplayName("B-9 by default, the existing certificates of a Kubernetes node are checked")
  void usual() throws Exception {
    node.file("/proc/1/stat", "1 (init) S 0");
    assertThatThrownBy(this::run)
        .as("B-17 none is no reason to say that all are valid")
        .isInstanceOf(UnavailableException.class)
        .hasMessage("no kubelet or API server certificate found on this node");
    String client = "/var/lib/kubelet/pki/kubelet-client-current.pem";
    node.file(client, pem(Duration.ofDays(1)));
    assertThat(run()).isEqualTo(new Problem(client + " expires on 2026-11-22T12:00:00Z"));
  }

  @Test
  @DisplayName("B-17 kubelet's newest certificate is a link into the node's root, not into ours")
  void link() throws Exception {
    Path folder = Files.createDirectories(node.seen("/var/lib/kubelet/pki"));
    Files.createSymbolicLink(
        folder.resolve("kubelet-client-current.pem"),
        Path.of("/var/lib/kubelet/pki/kubelet-client-2026.pem"));
    node.file("/var/lib/kubelet/pki/kubelet-client-2026.pem", pem(Duration.ofDays(1)));
    assertThat(run().getClass()).isEqualTo(Problem.class);
  }

  @Test
  @DisplayName("B-17 an unreadable folder may contain an expired certificate")
  void hidden() throws Exception {
    assumeFalse("root".equals(System.getProperty("user.name")), "root may search every folder");
    node.file("/etc/kubernetes/pki/apiserver.crt", pem(Duration.ofDays(30)));
    Path folder = Files.createDirectories(node.seen("/var/lib/kubelet/pki"));
    Files.setPosixFilePermissions(folder, Set.of());
    assertThatThrownBy(this::run).isInstanceOf(AccessDeniedException.class);
  }

  @Test
  @DisplayName("B-5 a missing file, or one without a certificate, is Unknown")
  void unreadable() {
    assertThatThrownBy(() -> run("/etc/none.pem")).isInstanceOf(NoSuchFileException.class);
    node.file("/etc/key.pem", KEY)
        .file("/etc/broken.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    assertThatThrownBy(() -> run("/etc/key.pem"))
        .hasMessage(root + "/etc/key.pem contains no PEM certificate");
    assertThatThrownBy(() -> run("/etc/broken.pem"))
        .hasMessageStartingWith(root + "/etc/broken.pem contains an invalid certificate");
  }
}
