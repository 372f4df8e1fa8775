package io.probelet.health.tls;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.tls.ChainCases.Case;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The table of chains, verified by {@code openssl verify}, except where OpenSSL and Go differ:
 * OpenSSL accepts SHA-1 and common names, and verifies more for a trusted server certificate.
 */
class OpensslChainTest {
  private static final Set<String> LEAVES = Set.of("common", "sha1", "forged");

  @TempDir Path directory;

  @Test
  @DisplayName("TLS-1 OpenSSL accepts and rejects the same chains")
  void agrees() throws Exception {
    Map<String, List<Case>> byChain =
        ChainMatrixTest.all().stream()
            .filter(each -> !LEAVES.contains(parts(each)[0]))
            .filter(each -> !parts(each)[1].equals("sha1") && !parts(each)[2].equals("leaf"))
            .collect(
                Collectors.groupingBy(
                    each -> parts(each)[1] + " < " + parts(each)[2],
                    TreeMap::new,
                    Collectors.toList()));
    assertThat(byChain).hasSize(12 * 9);
    List<String> different = new ArrayList<>();
    for (List<Case> cases : byChain.values()) {
      String accepted = verify(cases);
      for (Case each : cases) {
        boolean ours = ServerVerifierTest.verdict(each).isEmpty();
        if (ours != accepted.contains("/" + parts(each)[0] + ".pem: OK\n")) {
          different.add(each.name());
        }
      }
    }
    assertThat(different).isEmpty();
  }

  private static String[] parts(Case each) {
    return each.name().split(" < ", -1);
  }

  private String verify(List<Case> cases) throws IOException, InterruptedException {
    Case first = cases.getFirst();
    List<String> command =
        new ArrayList<>(
            List.of(
                "openssl",
                "verify",
                "-partial_chain",
                "-no-CApath",
                "-no-CAstore",
                "-purpose",
                "sslserver",
                "-verify_hostname",
                ChainCases.SERVER,
                "-attime",
                Long.toString(MadeCertificate.NOW.getEpochSecond()),
                "-CAfile",
                file("root", first.roots())));
    if (first.shown().size() > 1) {
      command.add("-untrusted");
      command.add(file("others", first.shown().subList(1, first.shown().size())));
    }
    for (Case each : cases) {
      command.add(file(parts(each)[0], each.shown().subList(0, 1)));
    }
    Process openssl =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String said = new String(openssl.getInputStream().readAllBytes(), UTF_8);
    openssl.waitFor();
    return said;
  }

  private String file(String name, List<X509Certificate> certificates) throws IOException {
    StringBuilder pem = new StringBuilder();
    for (X509Certificate each : certificates) {
      try {
        pem.append("-----BEGIN CERTIFICATE-----\n")
            .append(Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(each.getEncoded()))
            .append("\n-----END CERTIFICATE-----\n");
      } catch (CertificateEncodingException impossible) {
        throw new AssertionError(impossible);
      }
    }
    return Files.writeString(directory.resolve(name + ".pem"), pem).toString();
  }
}
