package io.probelet.health.tls;

import java.security.cert.CertificateException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Searches any chain from a server's certificate to a root that is valid by Go's rules. The order
 * in which the server sends certificates does not matter. For a single use.
 */
final class ChainSearch {
  /**
   * A fifth of Go's limit, since other probes wait for these computations: twenty with secp521r1
   * take tens of milliseconds, and real chains need two to five.
   */
  static final int MAX_SIGNATURE_CHECKS = 20;

  private static final int MAX_HINT = 300;
  private static final String TOO_MANY =
      "x509: signature check attempts limit reached while verifying certificate chain";

  private final CertificatePool roots;
  private final CertificatePool intermediates;
  private final Instant now;
  private final Budget budget = new Budget();
  private int checks;
  private boolean accepted;

  /** Why complete chains were invalid. */
  private @Nullable CertificateException nameFault;

  private int usageFaults;
  private int policyFaults;

  ChainSearch(CertificatePool roots, CertificatePool intermediates, Instant now) {
    this.roots = roots;
    this.intermediates = intermediates;
    this.now = now;
  }

  /** Throws with Go's message unless there is a valid chain from this certificate. */
  void verify(ParsedCertificate leaf, ServerName name) throws CertificateException {
    CertificateException fault = invalid(leaf, List.of(), false);
    if (fault != null) {
      throw fault;
    }
    name.check(leaf);
    List<ParsedCertificate> chain = List.of(leaf);
    if (roots.contains(leaf)) {
      complete(chain);
    } else {
      fault = extend(chain);
    }
    if (!accepted) {
      throw fault == null ? unusableChains() : fault;
    }
  }

  /** {@return why no chain leads from here to a root; null if one does, valid or not} */
  private @Nullable CertificateException extend(List<ParsedCertificate> chain)
      throws CertificateException {
    ParsedCertificate child = chain.getLast();
    CertificateException fault = null;
    String hint = null;
    boolean complete = false;
    for (boolean root : List.of(true, false)) {
      for (ParsedCertificate parent : (root ? roots : intermediates).parents(child)) {
        if (isIn(chain, parent)) {
          continue;
        }
        if (++checks > MAX_SIGNATURE_CHECKS) {
          return complete ? null : new CertificateException(TOO_MANY);
        }
        String unsigned = CertificateSignatures.fault(child, parent);
        CertificateException invalid = unsigned == null ? invalid(parent, chain, !root) : null;
        String why = invalid == null ? unsigned : invalid.getMessage();
        if (why != null) {
          fault = unsigned == null ? invalid : fault;
          hint = hint == null ? hint(why, parent) : hint;
          continue;
        }
        List<ParsedCertificate> longer = new ArrayList<>(chain);
        longer.add(parent);
        fault = root ? null : extend(longer);
        if (root) {
          complete(longer);
        }
        if (accepted) {
          return null;
        }
        complete |= fault == null;
      }
    }
    if (complete) {
      return null;
    }
    return fault == null
        ? new CertificateException(
            "x509: certificate signed by unknown authority" + Objects.requireNonNullElse(hint, ""))
        : fault;
  }

  private static String hint(String why, ParsedCertificate parent) {
    return " (possibly because of %s while trying to verify candidate authority certificate %s)"
        .formatted(
            ForeignText.quoted(why, MAX_HINT),
            ForeignText.quoted(parent.shownName(), ForeignText.MAX_NAME));
  }

  /** A certificate reissued for the same key and names would cause a cycle. */
  private static boolean isIn(List<ParsedCertificate> chain, ParsedCertificate candidate) {
    String names = candidate.extensions().encodedNames();
    for (ParsedCertificate each : chain) {
      if (each.subject().equals(candidate.subject()) && each.key().equals(candidate.key())) {
        String others = each.extensions().encodedNames();
        if (Objects.equals(names, others)) {
          return true;
        }
        if (names == null || others == null) {
          return false;
        }
      }
    }
    return false;
  }

  /** {@return why a certificate cannot be the next in the chain; null if it can} */
  private @Nullable CertificateException invalid(
      ParsedCertificate certificate, List<ParsedCertificate> chain, boolean intermediate) {
    CertificateExtensions extensions = certificate.extensions();
    if (extensions.unhandledCritical()) {
      return new CertificateException("x509: unhandled critical extension");
    }
    Instant from = certificate.source().getNotBefore().toInstant();
    Instant until = certificate.source().getNotAfter().toInstant();
    if (now.isBefore(from) || now.isAfter(until)) {
      return new CertificateException(
          "x509: certificate has expired or is not yet valid: current time %s is %s %s"
              .formatted(
                  now.truncatedTo(ChronoUnit.SECONDS),
                  now.isBefore(from) ? "before" : "after",
                  now.isBefore(from) ? from : until));
    }
    // Not checked for the server's own certificate and for roots, as in Go.
    if (!chain.isEmpty() && intermediate && !extensions.authority()) {
      return new CertificateException(
          "x509: certificate is not authorized to sign other certificates");
    }
    if (extensions.pathLength() != CertificateExtensions.UNLIMITED
        && chain.size() - 1 > extensions.pathLength()) {
      return new CertificateException("x509: too many intermediates for path length constraint");
    }
    return null;
  }

  /** Records a chain that reaches a root. */
  private void complete(List<ParsedCertificate> chain) throws CertificateException {
    if (!CertificatePolicies.valid(chain, budget)) {
      policyFaults++;
    } else if (!chain.stream().allMatch(each -> each.extensions().forServers())) {
      usageFaults++;
    } else {
      CertificateException fault = nameFault(chain);
      nameFault = nameFault == null ? fault : nameFault;
      accepted = fault == null;
    }
  }

  /** Checks every name of a certificate, not only the requested one. */
  private @Nullable CertificateException nameFault(List<ParsedCertificate> chain) {
    for (int above = 1; above < chain.size(); above++) {
      NameConstraints constraints = chain.get(above).extensions().nameConstraints();
      for (int i = 0; constraints != null && i < above; i++) {
        try {
          constraints.check(chain.get(i).extensions().names(), budget);
        } catch (CertificateException notAllowed) {
          return new CertificateException(
              "x509: a root or intermediate certificate is not authorized to sign for this name: "
                  + notAllowed.getMessage(),
              notAllowed);
        }
      }
    }
    return null;
  }

  private CertificateException unusableChains() {
    if (nameFault != null) {
      return nameFault;
    }
    if (policyFaults == 0) {
      return new CertificateException("x509: certificate specifies an incompatible key usage");
    }
    return new CertificateException(
        "x509: no valid chains built: "
            + (usageFaults == 0
                ? ""
                : usageFaults + " candidate chains with incompatible key usage, ")
            + policyFaults
            + " candidate chains with invalid policies");
  }
}
