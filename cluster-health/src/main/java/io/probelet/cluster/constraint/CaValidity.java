package io.probelet.cluster.constraint;

import static io.probelet.cluster.constraint.Constraint.CA_CERTIFICATE_VALIDITIES_ACCEPTABLE;

import io.fabric8.kubernetes.api.model.Secret;
import java.io.ByteArrayInputStream;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Checks whether the watched CA certificates are valid for at least another year (CH-35).
 *
 * <p>A secret contains a certificate or a bundle under {@code ca.crt} or else {@code tls.crt}. Of a
 * bundle, the first to expire counts. A secret without either key is skipped.
 */
public final class CaValidity {

  private static final Duration MIN_VALIDITY = Duration.ofDays(365);

  private CaValidity() {}

  /** {@return the constraint; Unknown if a certificate cannot be read} */
  public static Constraint evaluate(List<Secret> secrets, Instant now) {
    Map<String, Instant> expiring = new TreeMap<>();
    for (Secret secret : secrets) {
      try {
        expiry(secret)
            .filter(end -> Duration.between(now, end).compareTo(MIN_VALIDITY) < 0)
            .ifPresent(end -> expiring.put(name(secret), end));
      } catch (CertificateException | IllegalArgumentException e) {
        return Constraint.notChecked(
            CA_CERTIFICATE_VALIDITIES_ACCEPTABLE,
            "CA certificate in secret \"%s\" cannot be read: %s"
                .formatted(name(secret), e.getMessage()));
      }
    }
    if (expiring.isEmpty()) {
      return Constraint.holds(
          CA_CERTIFICATE_VALIDITIES_ACCEPTABLE,
          "NoExpiringCACertificates",
          "All CA certificates are still valid for at least 365 days.");
    }
    List<String> named =
        expiring.entrySet().stream()
            .map(ca -> "\"%s\" (until %s)".formatted(ca.getKey(), ca.getValue()))
            .toList();
    return Constraint.broken(
        CA_CERTIFICATE_VALIDITIES_ACCEPTABLE,
        "ExpiringCACertificates",
        "CA certificates valid for less than 365 days, to be rotated: " + String.join(", ", named));
  }

  private static Optional<Instant> expiry(Secret secret) throws CertificateException {
    Map<String, String> data = secret.getData() == null ? Map.of() : secret.getData();
    String encoded = data.getOrDefault("ca.crt", data.get("tls.crt"));
    if (encoded == null) {
      return Optional.empty();
    }
    byte[] pem = Base64.getDecoder().decode(encoded);
    CertificateFactory factory = CertificateFactory.getInstance("X.509");
    Optional<Instant> first = Optional.empty();
    for (Certificate certificate : factory.generateCertificates(new ByteArrayInputStream(pem))) {
      Instant end = ((X509Certificate) certificate).getNotAfter().toInstant();
      if (first.isEmpty() || end.isBefore(first.get())) {
        first = Optional.of(end.truncatedTo(ChronoUnit.SECONDS));
      }
    }
    if (first.isEmpty()) {
      throw new CertificateException("no certificate found");
    }
    return first;
  }

  private static String name(Secret secret) {
    return secret.getMetadata().getNamespace() + "/" + secret.getMetadata().getName();
  }
}
