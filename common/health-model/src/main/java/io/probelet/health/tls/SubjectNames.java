package io.probelet.health.tls;

import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.util.ArrayList;
import java.util.List;

/**
 * The alternative names of a subject, of the kinds that verification uses.
 *
 * @param dns host names and patterns of them
 * @param emails mailboxes
 * @param uris addresses
 * @param ips addresses of 4 or 16 bytes
 */
record SubjectNames(List<String> dns, List<String> emails, List<Uri> uris, List<byte[]> ips) {
  static final SubjectNames NONE = new SubjectNames(List.of(), List.of(), List.of(), List.of());

  private static final int EMAIL = 0x81;
  private static final int DNS = 0x82;
  private static final int URI = 0x86;
  private static final int IP = 0x87;

  /**
   * An address as written.
   *
   * @param text the whole
   * @param host with its port if present; empty if it names no host
   */
  record Uri(String text, String host) {}

  static SubjectNames read(DerReader names) throws CertificateException {
    SubjectNames found =
        new SubjectNames(
            new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    while (!names.isEmpty()) {
      int kind = names.peek();
      DerReader name = names.next();
      switch (kind) {
        case EMAIL -> found.emails.add(ascii(name, "rfc822Name"));
        case DNS -> found.dns.add(ascii(name, "dNSName"));
        case URI -> found.uris.add(uri(ascii(name, "uniformResourceIdentifier")));
        case IP -> found.ips.add(ip(name.rest()));
        default -> {
          // of a kind that verification ignores
        }
      }
    }
    return found;
  }

  boolean isEmpty() {
    return dns.isEmpty() && emails.isEmpty() && uris.isEmpty() && ips.isEmpty();
  }

  private static String ascii(DerReader name, String what) throws CertificateException {
    String text = name.restAsText();
    if (!isAscii(text)) {
      throw new CertificateParsingException("x509: SAN " + what + " is malformed");
    }
    return text;
  }

  static boolean isAscii(String text) {
    return text.chars().allMatch(each -> each < 0x80);
  }

  private static byte[] ip(byte[] address) throws CertificateException {
    if (address.length != 4 && address.length != 16) {
      throw new CertificateParsingException(
          "x509: cannot parse IP address of length " + address.length);
    }
    return address;
  }

  /** Finds the host between {@code //} and the path; the JDK's class refuses names with _. */
  private static Uri uri(String text) throws CertificateException {
    int authority = text.indexOf("//");
    int end = authority + 2;
    while (end < text.length() && "/?#".indexOf(text.charAt(end)) < 0) {
      end++;
    }
    boolean none = authority < 0 || (authority > 0 && text.charAt(authority - 1) != ':');
    String host = none ? "" : text.substring(authority + 2, end);
    host = host.substring(host.lastIndexOf('@') + 1);
    if (!DomainNames.valid(host, false)
        || text.chars().anyMatch(each -> each < ' ' || each == 0x7f)) {
      throw new CertificateParsingException(
          "x509: cannot parse URI " + ForeignText.quoted(text, ForeignText.MAX_NAME));
    }
    return new Uri(text, host);
  }
}
