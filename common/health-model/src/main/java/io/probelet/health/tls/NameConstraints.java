package io.probelet.health.tls;

import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The names for which an authority may issue certificates.
 *
 * @param permitted for each kind present here, a name must match one of these
 * @param excluded a name must match none of these
 * @param understood whether all kinds are known
 */
record NameConstraints(Subtrees permitted, Subtrees excluded, boolean understood) {
  private static final int PERMITTED = 0xa0;
  private static final int EXCLUDED = 0xa1;
  private static final int EMAIL = 0x81;
  private static final int DNS = 0x82;
  private static final int URI = 0x86;
  private static final int IP = 0x87;

  /**
   * Ranges of names.
   *
   * @param dns domains
   * @param emails domains, or whole mailboxes
   * @param uris domains of hosts
   * @param ips addresses with masks
   */
  record Subtrees(List<String> dns, List<Emails> emails, List<String> uris, List<IpRange> ips) {
    Subtrees() {
      this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }
  }

  /**
   * One mailbox, or all of a domain.
   *
   * @param text as written
   * @param mailbox null for all of a domain
   */
  record Emails(String text, @Nullable Mailbox mailbox) {
    boolean hold(Mailbox other) {
      return mailbox == null ? DomainNames.within(text, other.domain()) : mailbox.equals(other);
    }

    @Override
    public String toString() {
      return text;
    }
  }

  /** Reads the extension's value. */
  static NameConstraints read(DerReader value) throws CertificateException {
    DerReader all = value.read(DerReader.SEQUENCE);
    Subtrees permitted = new Subtrees();
    Subtrees excluded = new Subtrees();
    boolean empty = true;
    boolean understood = true;
    if (all.peek() == PERMITTED) {
      DerReader trees = all.next();
      empty = trees.isEmpty();
      understood = read(trees, permitted);
    }
    if (all.peek() == EXCLUDED) {
      DerReader trees = all.next();
      empty &= trees.isEmpty();
      understood &= read(trees, excluded);
    }
    if (empty) {
      throw new CertificateParsingException("x509: empty name constraints extension");
    }
    if (!all.isEmpty() || !value.isEmpty()) {
      throw new CertificateParsingException("x509: invalid NameConstraints extension");
    }
    return new NameConstraints(permitted, excluded, understood);
  }

  private static boolean read(DerReader trees, Subtrees into) throws CertificateException {
    boolean understood = true;
    while (!trees.isEmpty()) {
      DerReader tree = trees.read(DerReader.SEQUENCE);
      int kind = tree.peek();
      DerReader base = tree.next();
      switch (kind) {
        case DNS -> into.dns.add(domain(base, "dnsName"));
        case URI -> {
          String domain = domain(base, "URI");
          if (IpAddresses.parse(domain) != null) {
            throw new CertificateParsingException("x509: failed to parse URI constraint");
          }
          into.uris.add(domain);
        }
        case EMAIL -> into.emails.add(mailboxes(base));
        case IP -> into.ips.add(IpRange.of(base.rest()));
        default -> understood = false;
      }
    }
    return understood;
  }

  private static Emails mailboxes(DerReader base) throws CertificateException {
    String text = base.restAsText();
    if (text.indexOf('@') < 0) {
      return new Emails(domain(base, "rfc822Name"), null);
    }
    Mailbox mailbox = Mailbox.parse(text);
    if (!SubjectNames.isAscii(text) || mailbox == null) {
      throw unreadable(text, "rfc822Name");
    }
    return new Emails(text, mailbox);
  }

  private static String domain(DerReader base, String what) throws CertificateException {
    String domain = base.restAsText();
    if (!SubjectNames.isAscii(domain) || !DomainNames.valid(domain, true)) {
      throw unreadable(domain, what);
    }
    return domain;
  }

  private static CertificateParsingException unreadable(String constraint, String what) {
    return new CertificateParsingException(
        "x509: failed to parse %s constraint %s"
            .formatted(what, ForeignText.quoted(constraint, ForeignText.MAX_NAME)));
  }

  /**
   * Checks the names of a certificate below the authority.
   *
   * @param names all its names
   * @param budget the step limit of the verification
   * @throws CertificateException names the name that is not allowed
   */
  void check(SubjectNames names, Budget budget) throws CertificateException {
    for (byte[] ip : names.ips()) {
      String shown = IpAddresses.text(ip);
      check("IP address", shown, ip, permitted.ips, excluded.ips, IpRange::contains, budget);
    }
    for (String dns : names.dns()) {
      if (!DomainNames.valid(dns, false)) {
        throw unreadableName("x509: cannot parse dnsName", dns);
      }
      permit("DNS name", dns, dns, permitted.dns, DomainNames::within, budget);
      exclude("DNS name", dns, dns, excluded.dns, DomainNames::excluded, budget);
    }
    for (SubjectNames.Uri uri : names.uris()) {
      String host = host(uri);
      check("URI", uri.text(), host, permitted.uris, excluded.uris, DomainNames::within, budget);
    }
    for (String email : names.emails()) {
      Mailbox mailbox = Mailbox.parse(email);
      if (mailbox == null) {
        throw unreadableName("cannot parse rfc822Name", email);
      }
      check(
          "email address", email, mailbox, permitted.emails, excluded.emails, Emails::hold, budget);
    }
  }

  /** {@return the host name, the only part that can be compared} */
  private static String host(SubjectNames.Uri uri) throws CertificateException {
    String host = uri.host();
    int colon = host.lastIndexOf(':');
    boolean port = colon >= 0 && !host.endsWith("]");
    String name = port ? host.substring(0, colon) : host;
    boolean ip = name.startsWith("[") || IpAddresses.parse(name) != null;
    if (name.isEmpty() || name.indexOf(':') >= 0 || ip) {
      throw new CertificateException(
          "URI with %s (%s) cannot be matched against constraints"
              .formatted(
                  ip ? "IP" : "empty host", ForeignText.quoted(uri.text(), ForeignText.MAX_NAME)));
    }
    return name;
  }

  private static CertificateException unreadableName(String what, String name) {
    return new CertificateException(what + " " + ForeignText.quoted(name, ForeignText.MAX_NAME));
  }

  private static <C, N> void check(
      String what,
      String shown,
      N name,
      List<C> permitted,
      List<C> excluded,
      BiPredicate<C, N> within,
      Budget budget)
      throws CertificateException {
    permit(what, shown, name, permitted, within, budget);
    exclude(what, shown, name, excluded, within, budget);
  }

  private static <C, N> void permit(
      String what, String shown, N name, List<C> in, BiPredicate<C, N> within, Budget budget)
      throws CertificateException {
    for (C each : in) {
      budget.take(1);
      if (within.test(each, name)) {
        return;
      }
    }
    if (!in.isEmpty()) {
      throw new CertificateException(
          "%s %s is not permitted by any constraint"
              .formatted(what, ForeignText.quoted(shown, ForeignText.MAX_NAME)));
    }
  }

  private static <C, N> void exclude(
      String what, String shown, N name, List<C> from, BiPredicate<C, N> within, Budget budget)
      throws CertificateException {
    for (C each : from) {
      budget.take(1);
      if (within.test(each, name)) {
        throw new CertificateException(
            "%s %s is excluded by constraint %s"
                .formatted(
                    what,
                    ForeignText.quoted(shown, ForeignText.MAX_NAME),
                    ForeignText.quoted(each.toString(), ForeignText.MAX_NAME)));
      }
    }
  }
}
