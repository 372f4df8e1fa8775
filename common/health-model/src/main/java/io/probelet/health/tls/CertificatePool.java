package io.probelet.health.tls;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A set of certificates, indexed by subject. */
final class CertificatePool {
  private final Map<String, List<ParsedCertificate>> bySubject = new HashMap<>();
  private final Set<X509Certificate> all = new LinkedHashSet<>();

  void add(ParsedCertificate certificate) {
    if (all.add(certificate.source())) {
      bySubject.computeIfAbsent(certificate.subject(), none -> new ArrayList<>()).add(certificate);
    }
  }

  boolean contains(ParsedCertificate certificate) {
    return all.contains(certificate.source());
  }

  /** {@return the possible signers of a certificate, those with its issuer key ID first} */
  List<ParsedCertificate> parents(ParsedCertificate child) {
    List<ParsedCertificate> found = bySubject.get(child.issuer());
    if (found == null) {
      return List.of();
    }
    List<ParsedCertificate> ordered = new ArrayList<>(found);
    ordered.sort((one, other) -> Integer.compare(rank(one, child), rank(other, child)));
    return ordered;
  }

  private static int rank(ParsedCertificate parent, ParsedCertificate child) {
    String key = parent.extensions().subjectKeyId();
    String wanted = child.extensions().authorityKeyId();
    if (key.equals(wanted)) {
      return 0;
    }
    return key.isEmpty() || wanted.isEmpty() ? 1 : 2;
  }
}
