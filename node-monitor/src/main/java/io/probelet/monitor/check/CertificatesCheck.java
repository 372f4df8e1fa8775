package io.probelet.monitor.check;

import io.probelet.monitor.availability.Obstacle;
import io.probelet.monitor.availability.UnavailableException;
import io.probelet.monitor.rule.CheckSpec;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks that certificates in files do not expire soon. */
final class CertificatesCheck implements NodeCheck {
  private static final List<Path> USUAL =
      List.of(
          Path.of("/var/lib/kubelet/pki/kubelet-client-current.pem"),
          Path.of("/var/lib/kubelet/pki/kubelet-server-current.pem"),
          Path.of("/etc/kubernetes/pki/apiserver.crt"),
          Path.of("/etc/kubernetes/pki/apiserver-kubelet-client.crt"));

  /** Files may also contain keys, which CertificateFactory cannot parse. */
  private static final Pattern PEM =
      Pattern.compile("-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----", Pattern.DOTALL);

  private final CheckSpec.Certificates spec;
  private final Machine machine;

  CertificatesCheck(CheckSpec.Certificates spec, Machine machine) {
    this.spec = spec;
    this.machine = machine;
  }

  @Override
  public NodeCheckResult run() throws IOException {
    Instant now = machine.time().wallTime();
    List<String> soon = new ArrayList<>();
    for (Path file : files()) {
      Instant end = end(machine.seen(file));
      if (Duration.between(now, end).compareTo(spec.expiresWithin()) < 0) {
        soon.add(file + (end.isAfter(now) ? " expires on " : " expired on ") + end);
      }
    }
    return soon.isEmpty()
        ? NodeCheckResult.OK
        : new NodeCheckResult.Problem(String.join(", ", soon));
  }

  /** A node has some of the default files; an inaccessible one may exist. */
  private List<Path> files() throws IOException {
    if (!spec.files().isEmpty()) {
      return spec.files();
    }
    List<Path> there = new ArrayList<>();
    for (Path file : USUAL) {
      if (isThere(machine.seen(file))) {
        there.add(file);
      }
    }
    if (there.isEmpty()) {
      machine.requireNodeFiles();
      throw new UnavailableException(
          Obstacle.NOT_THERE, "no kubelet or API server certificate found on this node");
    }
    return there;
  }

  private static boolean isThere(Path file) throws IOException {
    try {
      Files.readAttributes(file, BasicFileAttributes.class);
      return true;
    } catch (NoSuchFileException none) {
      return false;
    }
  }

  /** When the first certificate of a file expires. */
  private static Instant end(Path file) throws IOException {
    Instant first = Instant.MAX;
    Matcher blocks = PEM.matcher(Files.readString(file, StandardCharsets.ISO_8859_1));
    while (blocks.find()) {
      Instant end = certificate(file, blocks.group()).getNotAfter().toInstant();
      first = end.isBefore(first) ? end : first;
    }
    if (first.equals(Instant.MAX)) {
      throw new IOException(file + " contains no PEM certificate");
    }
    return first;
  }

  private static X509Certificate certificate(Path file, String block) throws IOException {
    try {
      Certificate read =
          CertificateFactory.getInstance("X.509")
              .generateCertificate(
                  new ByteArrayInputStream(block.getBytes(StandardCharsets.ISO_8859_1)));
      return (X509Certificate) read;
    } catch (CertificateException broken) {
      throw new IOException(
          file + " contains an invalid certificate: " + broken.getMessage(), broken);
    }
  }
}
