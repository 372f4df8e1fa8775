package io.probelet.health.tls;

import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Validates certificate policies (RFC 5280, 6.1, as amended by RFC 9618). Clients request no
 * policy, so policies matter only if an authority requires one in each certificate below it. Only
 * the set of valid policies is kept, so memory grows no faster than the certificates.
 */
final class CertificatePolicies {
  private static final String ANY = "551d2000";
  private static final int REQUIRE_EXPLICIT = 0x80;
  private static final int INHIBIT_MAPPING = 0x81;

  private final Set<String> policies = new LinkedHashSet<>();
  private final List<Mapping> mappings = new ArrayList<>();
  private int requireExplicit = Integer.MAX_VALUE;
  private int inhibitMapping = Integer.MAX_VALUE;
  private int inhibitAny = Integer.MAX_VALUE;

  private record Mapping(String issuers, String subjects) {}

  void readPolicies(DerReader value) throws CertificateException {
    while (!value.isEmpty()) {
      if (!policies.add(value.read(DerReader.SEQUENCE).read(DerReader.OID).restAsHex())) {
        throw new CertificateParsingException("x509: invalid certificate policies");
      }
    }
  }

  void readMappings(DerReader value) throws CertificateException {
    while (!value.isEmpty()) {
      DerReader mapping = value.read(DerReader.SEQUENCE);
      mappings.add(
          new Mapping(
              mapping.read(DerReader.OID).restAsHex(), mapping.read(DerReader.OID).restAsHex()));
    }
  }

  void readConstraints(DerReader value) throws CertificateException {
    if (value.peek() == REQUIRE_EXPLICIT) {
      requireExplicit = skips(value.read(REQUIRE_EXPLICIT));
    }
    if (value.peek() == INHIBIT_MAPPING) {
      inhibitMapping = skips(value.read(INHIBIT_MAPPING));
    }
  }

  void readInhibitAny(DerReader value) throws CertificateException {
    inhibitAny = skips(value);
  }

  /** The number of certificates after which it applies; below zero for never. */
  private static int skips(DerReader value) throws CertificateException {
    int count = value.count();
    return count < 0 ? Integer.MAX_VALUE : count;
  }

  /**
   * {@return whether a chain, the server's certificate first, has the policies it requires}
   *
   * @throws CertificateException if there are too many
   */
  static boolean valid(List<ParsedCertificate> chain, Budget budget) throws CertificateException {
    int last = chain.size() - 2; // the one issued by the anchor
    int explicit = chain.size();
    int mapping = chain.size();
    int any = chain.size();
    Map<String, Set<String>> valid = Map.of(ANY, Set.of(ANY));
    boolean lost = false;
    for (int i = last; i >= 0; i--) {
      CertificatePolicies here = chain.get(i).extensions().policies();
      boolean selfIssued = chain.get(i).isSelfIssued();
      lost |= here.policies.isEmpty();
      budget.take(here.policies.size() + here.mappings.size());
      valid = lost ? Map.of() : here.next(valid, any > 0 || (i > 0 && selfIssued));
      if (i == 0) {
        explicit = here.requireExplicit == 0 ? 0 : Math.max(0, explicit - 1);
        continue;
      }
      if (!lost) {
        if (mapping > 0 && here.mapsAny()) {
          return false;
        }
        valid = here.mapped(valid, mapping > 0);
      }
      int step = selfIssued ? 0 : 1;
      explicit = Math.min(Math.max(0, explicit - step), here.requireExplicit);
      mapping = Math.min(Math.max(0, mapping - step), here.inhibitMapping);
      any = Math.min(Math.max(0, any - step), here.inhibitAny);
    }
    return last < 0 || explicit > 0 || !valid.isEmpty();
  }

  private boolean mapsAny() {
    return mappings.stream()
        .anyMatch(each -> each.issuers.equals(ANY) || each.subjects.equals(ANY));
  }

  /** {@return the valid policies, each with its expected policies in the next certificate} */
  private Map<String, Set<String>> next(Map<String, Set<String>> above, boolean anyCounts) {
    Set<String> expected = new HashSet<>();
    above.values().forEach(expected::addAll);
    Map<String, Set<String>> valid = new HashMap<>();
    for (String policy : policies) {
      if (!policy.equals(ANY) && (expected.contains(policy) || above.containsKey(ANY))) {
        valid.put(policy, Set.of(policy));
      }
    }
    if (anyCounts && policies.contains(ANY)) {
      expected.forEach(policy -> valid.putIfAbsent(policy, Set.of(policy)));
    }
    return valid;
  }

  private Map<String, Set<String>> mapped(Map<String, Set<String>> valid, boolean allowed) {
    Map<String, Set<String>> mapped = new HashMap<>(valid);
    if (!allowed) {
      mappings.forEach(each -> mapped.remove(each.issuers));
      return mapped;
    }
    Map<String, Set<String>> bySource = new HashMap<>();
    for (Mapping each : mappings) {
      bySource.computeIfAbsent(each.issuers, none -> new HashSet<>()).add(each.subjects);
    }
    bySource.forEach((policy, others) -> {
      if (valid.containsKey(policy) || valid.containsKey(ANY)) {
        mapped.put(policy, others);
      }
    });
    return mapped;
  }
}
