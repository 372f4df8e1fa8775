package io.probelet.health.tls;

import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The extensions of a certificate that verification needs. All are read before any is used. */
final class CertificateExtensions {
  /** No limit of the path length. */
  static final int UNLIMITED = -1;

  private static final String AUTHORITY_INFORMATION = "2b06010505070101";
  private static final String STANDARD = "551d";
  private static final String ANY_USAGE = "551d2500";
  private static final String SERVER_USAGE = "2b06010505070301";
  private static final int KEY_ID = 0x80;
  private static final int CERTIFICATE_SIGNING = 0x04;

  private final Set<String> usages = new HashSet<>();
  private final CertificatePolicies policies = new CertificatePolicies();
  private @Nullable String encodedNames;
  private SubjectNames names = SubjectNames.NONE;
  private @Nullable NameConstraints constraints;
  private boolean constrained;
  private boolean authority;
  private boolean signing = true;
  private int pathLength = UNLIMITED;
  private String subjectKeyId = "";
  private String authorityKeyId = "";
  private boolean unhandledCritical;

  /** Reads the sequence of extensions. */
  void readAll(DerReader extensions) throws CertificateException {
    Set<String> seen = new HashSet<>();
    while (!extensions.isEmpty()) {
      DerReader extension = extensions.read(DerReader.SEQUENCE);
      String oid = extension.read(DerReader.OID).restAsHex();
      boolean critical =
          extension.peek() == DerReader.BOOLEAN && extension.read(DerReader.BOOLEAN).bool();
      if (!seen.add(oid)) {
        throw new CertificateParsingException("x509: certificate contains duplicate extension");
      }
      boolean handled = read(oid, critical, extension.read(DerReader.OCTET_STRING));
      unhandledCritical |= critical && !handled;
    }
  }

  /** {@return whether the extension and its content are known} */
  private boolean read(String oid, boolean critical, DerReader value) throws CertificateException {
    if (oid.equals(AUTHORITY_INFORMATION)) {
      neverCritical("authority info access", critical);
      value.read(DerReader.SEQUENCE);
      return true;
    }
    if (oid.length() != STANDARD.length() + 2 || !oid.startsWith(STANDARD)) {
      return false;
    }
    switch (Integer.parseInt(oid, STANDARD.length(), oid.length(), 16)) {
      case 14 -> {
        neverCritical("subject key identifier", critical);
        subjectKeyId = value.read(DerReader.OCTET_STRING).restAsText();
      }
      case 15 -> readKeyUsage(value.read(DerReader.BIT_STRING).bits());
      case 17 -> {
        encodedNames = value.restAsText();
        names = SubjectNames.read(value.read(DerReader.SEQUENCE));
        return !names.isEmpty();
      }
      case 19 -> readBasicConstraints(value.read(DerReader.SEQUENCE));
      case 30 -> {
        constraints = NameConstraints.read(value);
        return constraints.understood();
      }
      case 31 -> value.read(DerReader.SEQUENCE);
      case 32 -> policies.readPolicies(value.read(DerReader.SEQUENCE));
      case 33 -> policies.readMappings(value.read(DerReader.SEQUENCE));
      case 35 -> {
        neverCritical("authority key identifier", critical);
        DerReader id = value.read(DerReader.SEQUENCE);
        authorityKeyId = id.peek() == KEY_ID ? id.next().restAsText() : "";
      }
      case 36 -> policies.readConstraints(value.read(DerReader.SEQUENCE));
      case 37 -> {
        DerReader all = value.read(DerReader.SEQUENCE);
        while (!all.isEmpty()) {
          usages.add(all.read(DerReader.OID).restAsHex());
        }
      }
      case 54 -> policies.readInhibitAny(value.read(DerReader.INTEGER));
      default -> {
        return false;
      }
    }
    return true;
  }

  private static void neverCritical(String what, boolean critical)
      throws CertificateParsingException {
    if (critical) {
      throw new CertificateParsingException("x509: " + what + " incorrectly marked critical");
    }
  }

  private void readKeyUsage(byte[] bits) {
    int first = bits.length > 1 ? bits[1] & 0xff : 0;
    boolean any = first != 0 || (bits.length > 2 && bits[2] < 0);
    signing = !any || (first & CERTIFICATE_SIGNING) != 0;
  }

  private void readBasicConstraints(DerReader value) throws CertificateException {
    constrained = true;
    authority = value.peek() == DerReader.BOOLEAN && value.read(DerReader.BOOLEAN).bool();
    if (value.peek() == DerReader.INTEGER) {
      pathLength = value.read(DerReader.INTEGER).count();
      if (pathLength < 0) {
        throw new CertificateParsingException("x509: invalid basic constraints");
      }
    }
  }

  /** {@return whether basic constraints are present} */
  boolean constrained() {
    return constrained;
  }

  /** {@return whether basic constraints mark it as an authority} */
  boolean authority() {
    return authority;
  }

  /** {@return whether its key usage, if present, allows signing certificates} */
  boolean signing() {
    return signing;
  }

  /** {@return the path length; {@link #UNLIMITED} for any} */
  int pathLength() {
    return pathLength;
  }

  /** {@return whether a critical extension or its content is unknown} */
  boolean unhandledCritical() {
    return unhandledCritical;
  }

  /** {@return whether its extended key usage, if present, allows server authentication} */
  boolean forServers() {
    return usages.isEmpty() || usages.contains(ANY_USAGE) || usages.contains(SERVER_USAGE);
  }

  SubjectNames names() {
    return names;
  }

  /** {@return the bytes of its alternative names; null if it has no such extension} */
  @Nullable String encodedNames() {
    return encodedNames;
  }

  @Nullable NameConstraints nameConstraints() {
    return constraints;
  }

  CertificatePolicies policies() {
    return policies;
  }

  /** {@return its key identifier, one char per byte; empty for none} */
  String subjectKeyId() {
    return subjectKeyId;
  }

  /** {@return its issuer's key identifier, one char per byte; empty for none} */
  String authorityKeyId() {
    return authorityKeyId;
  }
}
