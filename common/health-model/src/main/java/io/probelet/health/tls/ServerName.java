package io.probelet.health.tls;

import java.security.cert.CertificateException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks whether a certificate is for the requested server, by its alternative names only. */
final class ServerName {
  /** Further names are counted, not listed. */
  private static final int MAX_LISTED = 100;

  private static final int MAX_LIST_CHARS = 500;
  private static final String PREFIX = "x509: ";

  private final String host;
  private final byte @Nullable [] ip;

  ServerName(String host) {
    boolean brackets = host.length() > 2 && host.startsWith("[") && host.endsWith("]");
    String inside = brackets ? host.substring(1, host.length() - 1) : host;
    this.ip = IpAddresses.parse(inside);
    this.host = ip == null ? host : inside;
  }

  /** Throws with Go's message unless the certificate is for this name. */
  void check(ParsedCertificate certificate) throws CertificateException {
    SubjectNames names = certificate.extensions().names();
    boolean matches =
        ip == null
            ? names.dns().stream().anyMatch(pattern -> matches(pattern, host))
            : names.ips().stream().anyMatch(each -> IpAddresses.same(each, ip));
    if (!matches) {
      throw new CertificateException(PREFIX + mismatch(certificate, names));
    }
  }

  private String mismatch(ParsedCertificate certificate, SubjectNames names) {
    String wanted = ForeignText.clean(host, ForeignText.MAX_NAME);
    if (certificate.extensions().encodedNames() == null
        && labelsMatch(certificate.name().commonName(), withoutDot(host))) {
      return "certificate relies on legacy Common Name field, use SANs instead";
    }
    List<String> valid =
        ip == null ? names.dns() : names.ips().stream().map(IpAddresses::text).toList();
    if (ip != null && valid.isEmpty()) {
      return "cannot validate certificate for %s because it doesn't contain any IP SANs"
          .formatted(wanted);
    }
    if (valid.size() >= MAX_LISTED) {
      return "certificate is valid for %d %s, but none matched %s"
          .formatted(valid.size(), ip == null ? "names" : "IP SANs", wanted);
    }
    String list = String.join(", ", valid);
    return list.isEmpty()
        ? "certificate is not valid for any names, but wanted to match " + wanted
        : "certificate is valid for %s, not %s"
            .formatted(ForeignText.clean(list, MAX_LIST_CHARS), wanted);
  }

  /** The first label of a host name may be a *; all other labels must be equal. */
  private static boolean matches(String pattern, String host) {
    if (isHostName(pattern, true) && isHostName(withoutDot(host), false)) {
      return labelsMatch(pattern, withoutDot(host));
    }
    return !host.isEmpty() && !host.equals(".") && pattern.equalsIgnoreCase(host);
  }

  private static boolean labelsMatch(String pattern, String host) {
    if (!pattern.startsWith("*.") || host.indexOf('.') < 0) {
      return !pattern.isEmpty() && pattern.equalsIgnoreCase(host);
    }
    return pattern.substring(1).equalsIgnoreCase(host.substring(host.indexOf('.')));
  }

  private static String withoutDot(String host) {
    return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
  }

  private static boolean isHostName(String name, boolean pattern) {
    boolean labels = pattern && name.startsWith("*.");
    char before = '.';
    for (int i = labels ? 1 : 0; i < name.length(); i++) {
      char each = name.charAt(i);
      if (i == 1 && labels) {
        before = each; // the dot behind the *
        continue;
      }
      boolean first = before == '.';
      if (each == '.' ? first : !isLabelChar(each, first)) {
        return false;
      }
      before = each;
    }
    return before != '.' && !name.isEmpty();
  }

  private static boolean isLabelChar(char each, boolean first) {
    return ('a' <= each && each <= 'z')
        || ('A' <= each && each <= 'Z')
        || ('0' <= each && each <= '9')
        || each == '_'
        || (each == '-' && !first);
  }
}
