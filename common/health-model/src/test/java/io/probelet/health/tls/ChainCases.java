package io.probelet.health.tls;

import static io.probelet.health.tls.DerWriter.hex;
import static io.probelet.health.tls.DerWriter.integer;
import static io.probelet.health.tls.DerWriter.oid;
import static io.probelet.health.tls.DerWriter.sequence;
import static io.probelet.health.tls.DerWriter.tagged;
import static io.probelet.health.tls.MadeCertificate.authority;
import static io.probelet.health.tls.MadeCertificate.keys;
import static io.probelet.health.tls.MadeCertificate.named;
import static io.probelet.health.tls.MadeCertificate.server;

import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Chains of servers, with Go's verdicts at {@link MadeCertificate#NOW}. */
final class ChainCases {
  static final String SERVER = "app.example";
  static final String NAME = "dns:" + SERVER;
  static final String UNKNOWN = "x509: certificate signed by unknown authority";
  static final String NO_USAGE = "x509: certificate specifies an incompatible key usage";
  static final String UNHANDLED = "x509: unhandled critical extension";
  static final String NO_AUTHORITY =
      "x509: certificate is not authorized to sign other certificates";
  static final String TOO_LONG = "x509: too many intermediates for path length constraint";
  static final String NO_POLICY =
      "x509: no valid chains built: 1 candidate chains with invalid policies";

  private static final String PAST =
      "x509: certificate has expired or is not yet valid: current time 2026-11-26T12:00:00Z is"
          + " after 2025-01-01T00:00:00Z";
  private static final String FUTURE =
      "x509: certificate has expired or is not yet valid: current time 2026-11-26T12:00:00Z is"
          + " before 2027-01-01T00:00:00Z";
  private static final String NOT_FOR =
      "x509: a root or intermediate certificate is not authorized to sign for this name: ";
  private static final String NOT_SIGNING =
      "x509: invalid signature: parent certificate cannot sign this kind of certificate";
  private static final String FORGED = "x509: ECDSA verification failure";

  private static final String SERVERS = "1.3.6.1.5.5.7.3.1";
  private static final String CLIENTS = "1.3.6.1.5.5.7.3.2";
  private static final String ANY = "2.5.29.37.0";
  private static final String UNKNOWN_USAGE = "1.2.3.4";
  private static final int SIGNS_CERTIFICATES = 0x04;
  private static final int SIGNS_DATA = 0x80;

  private final List<Case> cases = new ArrayList<>();

  private ChainCases() {}

  /**
   * One case.
   *
   * @param name the specialty
   * @param shown the server's certificates
   * @param roots the trusted certificates
   * @param server the requested server name
   * @param verdict the message; empty if accepted
   */
  record Case(
      String name,
      List<X509Certificate> shown,
      List<X509Certificate> roots,
      String server,
      String verdict) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Case> all() {
    ChainCases all = new ChainCases();
    all.validity();
    all.anchors();
    all.authorities();
    all.usages();
    all.signatures();
    all.paths();
    all.names();
    all.constraints();
    all.policies();
    all.parsing();
    return all.cases;
  }

  private static List<X509Certificate> list(MadeCertificate... made) {
    return Arrays.stream(made).map(MadeCertificate::certificate).toList();
  }

  private static MadeCertificate[] shown(MadeCertificate... made) {
    return made;
  }

  private void add(String name, String verdict, MadeCertificate root, MadeCertificate... shown) {
    cases.add(new Case(name, list(shown), list(root), SERVER, verdict));
  }

  private void asked(String server, String verdict, MadeCertificate root, MadeCertificate leaf) {
    cases.add(
        new Case("asked for " + server + ": " + verdict, list(leaf), list(root), server, verdict));
  }

  private static String because(String why, String whose) {
    return UNKNOWN
        + " (possibly because of \""
        + why
        + "\" while trying to verify candidate authority certificate \""
        + whose
        + "\")";
  }

  private void validity() {
    MadeCertificate root = authority("root").selfSigned();
    MadeCertificate middle = authority("middle").by(root);
    add("good", "", root, server(NAME).by(root));
    add("good, with an intermediate", "", root, server(NAME).by(middle), middle);
    add("expired", PAST, root, server(NAME).expired().by(root));
    add("early", FUTURE, root, server(NAME).early().by(root));
    MadeCertificate old = authority("middle").expired().by(root);
    add("intermediate expired", PAST, root, server(NAME).by(old), old);
    MadeCertificate young = authority("middle").early().by(root);
    add("intermediate early", FUTURE, root, server(NAME).by(young), young);
    MadeCertificate oldRoot = authority("root").expired().selfSigned();
    add("root expired", PAST, oldRoot, server(NAME).by(oldRoot));
    MadeCertificate youngRoot = authority("root").early().selfSigned();
    add("root early", FUTURE, youngRoot, server(NAME).by(youngRoot));
    MadeCertificate below = authority("middle").by(oldRoot);
    add("root expired, above an intermediate", PAST, oldRoot, server(NAME).by(below), below);
    add(
        "expired in this second",
        "",
        root,
        server(NAME).valid("2026-01-01T00:00:00Z", "2026-11-26T12:00:00Z").by(root));
    add(
        "valid from this second on",
        "",
        root,
        server(NAME).valid("2026-11-26T12:00:00Z", "2027-01-01T00:00:00Z").by(root));
    MadeCertificate renewed = named("middle", old.keys()).constraints(DerWriter.yes()).by(root);
    MadeCertificate leaf = server(NAME).by(old);
    add("intermediate expired, and renewed", "", root, leaf, old, renewed);
    add("intermediate renewed, and expired", "", root, leaf, renewed, old);
    MadeCertificate newRoot =
        named("root", oldRoot.keys()).constraints(DerWriter.yes()).selfSigned();
    cases.add(
        new Case(
            "root expired, and renewed",
            list(server(NAME).by(oldRoot)),
            list(oldRoot, newRoot),
            SERVER,
            ""));
  }

  private void anchors() {
    MadeCertificate root = authority("root").selfSigned();
    MadeCertificate middle = authority("middle").by(root);
    MadeCertificate leaf = server(NAME).by(middle);
    add("intermediate trusted as a root", "", middle, leaf);
    add("intermediate trusted, and shown", "", middle, leaf, middle);
    add("leaf trusted itself", "", leaf, leaf);
    MadeCertificate own = server(NAME).selfSigned();
    add("self-signed, trusted", "", own, own);
    MadeCertificate ownOld = server(NAME).expired().selfSigned();
    add("self-signed, trusted, expired", PAST, ownOld, ownOld);
    MadeCertificate ownYoung = server(NAME).early().selfSigned();
    add("self-signed, trusted, early", FUTURE, ownYoung, ownYoung);
    MadeCertificate ownClient = server(NAME).purposes(CLIENTS).selfSigned();
    add("self-signed, trusted, for clients", NO_USAGE, ownClient, ownClient);
    MadeCertificate ownForged = server(NAME).forged().selfSigned();
    add("trusted itself, its signature does not count", "", ownForged, ownForged);
    MadeCertificate oldTrusted = server(NAME).expired().by(middle);
    add("leaf trusted itself, expired", PAST, oldTrusted, oldTrusted);
    add("self-signed, not trusted", UNKNOWN, root, own);
    add("signed by another", UNKNOWN, authority("other").selfSigned(), server(NAME).by(root));
    MadeCertificate namesake = authority("root").selfSigned();
    add("root of the same name", because(FORGED, "root"), namesake, server(NAME).by(root));
    add("intermediate missing", UNKNOWN, root, leaf);
    add("root shown, too", "", root, leaf, middle, root);
    add("root shown, not trusted", UNKNOWN, authority("other").selfSigned(), leaf, middle, root);
    MadeCertificate usual = named("root").selfSigned();
    add(
        "root without basic constraints",
        because(NOT_SIGNING, "root"),
        usual,
        server(NAME).by(usual));
    MadeCertificate first = named("root").version(1).selfSigned();
    add("root of version 1", "", first, server(NAME).by(first));
    MadeCertificate serverRoot = named("root").constraints().selfSigned();
    add(
        "root that is no authority",
        because(NOT_SIGNING, "root"),
        serverRoot,
        server(NAME).by(serverRoot));
    MadeCertificate clientRoot = authority("root").purposes(CLIENTS).selfSigned();
    add("root for clients only", NO_USAGE, clientRoot, server(NAME).by(clientRoot));
    MadeCertificate forgedRoot = authority("root").forged().selfSigned();
    add("root's own signature does not count", "", forgedRoot, server(NAME).by(forgedRoot));
    MadeCertificate noted = authority("root").with("1.2.3.4", true, hex("0500")).selfSigned();
    add("root with an unknown critical extension", UNHANDLED, noted, server(NAME).by(noted));
  }

  private void authorities() {
    MadeCertificate root = authority("root").selfSigned();
    for (MadeCertificate none : shown(named("middle"), named("middle").constraints())) {
      none.by(root);
      add(
          "intermediate that is no authority",
          because(NOT_SIGNING, "middle"),
          root,
          server(NAME).by(none),
          none);
    }
    MadeCertificate first = named("middle").version(1).by(root);
    add("intermediate of version 1", NO_AUTHORITY, root, server(NAME).by(first), first);
    MadeCertificate data = authority("middle").usage(SIGNS_DATA).by(root);
    add(
        "intermediate that signs no certificates",
        because(NOT_SIGNING, "middle"),
        root,
        server(NAME).by(data),
        data);
    MadeCertificate signing = authority("middle").usage(SIGNS_CERTIFICATES).by(root);
    add("intermediate that signs certificates", "", root, server(NAME).by(signing), signing);
    MadeCertificate unused = authority("middle").usage(0).by(root);
    add("intermediate with a usage of nothing", "", root, server(NAME).by(unused), unused);
    MadeCertificate low = authority("root").above(0).selfSigned();
    MadeCertificate under = authority("middle").by(low);
    add("path length 0, leaf below", "", low, server(NAME).by(low));
    add("path length 0, authority below", TOO_LONG, low, server(NAME).by(under), under);
    MadeCertificate high = authority("root").above(1).selfSigned();
    MadeCertificate one = authority("one").by(high);
    MadeCertificate two = authority("two").by(one);
    add("path length 1, one below", "", high, server(NAME).by(one), one);
    add("path length 1, two below", TOO_LONG, high, server(NAME).by(two), two, one);
    MadeCertificate middle = authority("middle").above(0).by(root);
    MadeCertificate last = authority("last").by(middle);
    add("path length 0 of an intermediate", TOO_LONG, root, server(NAME).by(last), last, middle);
    MadeCertificate own = named("middle", keys("EC", 256)).constraints(DerWriter.yes()).by(middle);
    add("path length 0, self-issued below", TOO_LONG, root, server(NAME).by(own), own, middle);
    MadeCertificate leafAuthority = authority("server").names(NAME).by(root);
    add("leaf that is an authority", "", root, leafAuthority);
    MadeCertificate limited = named("server").names(NAME).above(0).by(root);
    add("leaf with a path length", "", root, limited);
    add("leaf that signs nothing", "", root, server(NAME).usage(SIGNS_CERTIFICATES).by(root));
  }

  private void usages() {
    MadeCertificate root = authority("root").selfSigned();
    add("for servers", "", root, server(NAME).purposes(SERVERS).by(root));
    add("for clients and servers", "", root, server(NAME).purposes(CLIENTS, SERVERS).by(root));
    add("for anything", "", root, server(NAME).purposes(ANY).by(root));
    add("for clients", NO_USAGE, root, server(NAME).purposes(CLIENTS).by(root));
    add("for something unknown", NO_USAGE, root, server(NAME).purposes(UNKNOWN_USAGE).by(root));
    MadeCertificate clients = authority("middle").purposes(CLIENTS).by(root);
    add("intermediate for clients", NO_USAGE, root, server(NAME).by(clients), clients);
    add(
        "intermediate for clients, leaf for servers",
        NO_USAGE,
        root,
        server(NAME).purposes(SERVERS).by(clients),
        clients);
    MadeCertificate servers = authority("middle").purposes(SERVERS).by(root);
    add("intermediate for servers", "", root, server(NAME).by(servers), servers);
    MadeCertificate any = authority("middle").purposes(ANY).by(root);
    add("intermediate for anything", "", root, server(NAME).purposes(SERVERS).by(any), any);
    MadeCertificate both = named("middle", clients.keys()).constraints(DerWriter.yes()).by(root);
    MadeCertificate leaf = server(NAME).by(clients);
    add("intermediate for clients, and another without limit", "", root, leaf, clients, both);
  }

  private void signatures() {
    MadeCertificate root = authority("root").selfSigned();
    add("forged", because(FORGED, "root"), root, server(NAME).forged().by(root));
    MadeCertificate forged = authority("middle").forged().by(root);
    add("intermediate forged", because(FORGED, "root"), root, server(NAME).by(forged), forged);
    add(
        "SHA-1 by ECDSA",
        because("x509: cannot verify signature: insecure algorithm ECDSA-SHA1", "root"),
        root,
        server(NAME).algorithm("SHA1withECDSA").by(root));
    add("SHA-384 by ECDSA", "", root, server(NAME).algorithm("SHA384withECDSA").by(root));
    MadeCertificate rsa =
        named("root", keys("RSA", 2048)).constraints(DerWriter.yes()).selfSigned();
    add("RSA", "", rsa, server(NAME).by(rsa));
    add("SHA-512 by RSA", "", rsa, server(NAME).algorithm("SHA512withRSA").by(rsa));
    add(
        "SHA-1 by RSA",
        because("x509: cannot verify signature: insecure algorithm SHA1-RSA", "root"),
        rsa,
        server(NAME).algorithm("SHA1withRSA").by(rsa));
    add(
        "MD5 by RSA",
        because("x509: cannot verify signature: insecure algorithm MD5-RSA", "root"),
        rsa,
        server(NAME).algorithm("MD5withRSA").by(rsa));
    MadeCertificate sha1 = authority("middle").algorithm("SHA1withRSA").by(rsa);
    add(
        "intermediate by SHA-1",
        because("x509: cannot verify signature: insecure algorithm SHA1-RSA", "root"),
        rsa,
        server(NAME).by(sha1),
        sha1);
    MadeCertificate oldRoot =
        named("root", keys("RSA", 2048))
            .constraints(DerWriter.yes())
            .algorithm("SHA1withRSA")
            .selfSigned();
    add("root by SHA-1", "", oldRoot, server(NAME).by(oldRoot));
    MadeCertificate weak =
        named("root", keys("RSA", 1023)).constraints(DerWriter.yes()).selfSigned();
    add(
        "RSA of 1023 bits",
        because("crypto/rsa: 1023-bit keys are insecure", "root"),
        weak,
        server(NAME).by(weak));
    MadeCertificate enough =
        named("root", keys("RSA", 1024)).constraints(DerWriter.yes()).selfSigned();
    add("RSA of 1024 bits", "", enough, server(NAME).by(enough));
    MadeCertificate edwards =
        named("root", keys("Ed25519", 0)).constraints(DerWriter.yes()).selfSigned();
    add("Ed25519", "", edwards, server(NAME).by(edwards));
    MadeCertificate large =
        named("root", keys("EC", 521)).constraints(DerWriter.yes()).selfSigned();
    add("ECDSA on secp521r1", "", large, server(NAME).by(large));
    MadeCertificate mixed =
        named("root", keys("RSA", 2048)).constraints(DerWriter.yes()).selfSigned();
    MadeCertificate liar = named("root").by(mixed);
    add(
        "signed by a key of another kind",
        because(
            "x509: signature algorithm specifies an ECDSA public key, but have public key of type"
                + " *rsa.PublicKey",
            "root"),
        mixed,
        server(NAME).by(liar));
  }

  private void paths() {
    MadeCertificate root = authority("root").selfSigned();
    MadeCertificate one = authority("one").by(root);
    MadeCertificate two = authority("two").by(one);
    MadeCertificate three = authority("three").by(two);
    MadeCertificate leaf = server(NAME).by(three);
    add("in order", "", root, leaf, three, two, one);
    add("in any order", "", root, leaf, one, three, two);
    add("twice", "", root, leaf, three, three, two, two, one, one, root, root);
    add(
        "with others",
        "",
        root,
        leaf,
        authority("a").selfSigned(),
        three,
        server(NAME).selfSigned(),
        two,
        one);
    MadeCertificate other = authority("other").selfSigned();
    MadeCertificate cross = named("one", one.keys()).constraints(DerWriter.yes()).by(other);
    add("cross-signed, first known", "", root, leaf, three, two, one, cross);
    add("cross-signed, second known", "", other, leaf, three, two, one, cross);
    MadeCertificate a = authority("a");
    MadeCertificate b = authority("b");
    X509Certificate ab = a.by(b).certificate();
    X509Certificate ba = b.by(a).certificate();
    cases.add(
        new Case(
            "signed by each other",
            List.of(server(NAME).by(a).certificate(), ab, ba),
            list(root),
            SERVER,
            UNKNOWN));
    MadeCertificate[] twins =
        IntStream.range(0, 18)
            .mapToObj(i -> authority("twin").names("dns:" + i).by(root))
            .toArray(MadeCertificate[]::new);
    MadeCertificate child = server(NAME).by(twins[17]);
    List<X509Certificate> twinned = new ArrayList<>(list(child));
    twinned.addAll(list(twins));
    cases.add(
        new Case(
            "17 of the same name before the right one", twinned, list(other), SERVER, UNKNOWN));
    MadeCertificate[] circle =
        IntStream.range(0, 12)
            .mapToObj(
                i -> named("twin", twins[0].keys()).constraints(DerWriter.yes()).names("dns:" + i))
            .toArray(MadeCertificate[]::new);
    Arrays.stream(circle).forEach(each -> each.by(circle[0]));
    List<X509Certificate> many = new ArrayList<>(list(server(NAME).by(circle[0])));
    many.addAll(list(circle));
    cases.add(
        new Case(
            "each signed by each",
            many,
            list(root),
            SERVER,
            "x509: signature check attempts limit reached while verifying certificate chain"));
    IntStream.range(0, 3)
        .forEach(i -> {
          List<X509Certificate> reachable = new ArrayList<>(many);
          MadeCertificate out =
              named("twin", twins[0].keys()).constraints(DerWriter.yes()).by(root);
          reachable.add(1 + i * 6, out.certificate());
          cases.add(
              new Case("each signed by each, a way out " + i, reachable, list(root), SERVER, ""));
        });
  }

  private void names() {
    MadeCertificate root = authority("root").selfSigned();
    MadeCertificate exact = server(NAME).by(root);
    asked("app.example", "", root, exact);
    asked("APP.Example", "", root, exact);
    asked("app.example.", "", root, exact);
    asked(
        "app.example..",
        "x509: certificate is valid for app.example, not app.example..",
        root,
        exact);
    asked(
        "other.example",
        "x509: certificate is valid for app.example, not other.example",
        root,
        exact);
    asked(
        "a.app.example",
        "x509: certificate is valid for app.example, not a.app.example",
        root,
        exact);
    asked(
        "10.0.0.1",
        "x509: cannot validate certificate for 10.0.0.1 because it doesn't contain any IP SANs",
        root,
        exact);
    MadeCertificate star = server("dns:*.example").by(root);
    asked("app.example", "", root, star);
    asked("_app.example", "", root, star);
    asked("example", "x509: certificate is valid for *.example, not example", root, star);
    asked(
        "a.app.example", "x509: certificate is valid for *.example, not a.app.example", root, star);
    asked("*.example", "", root, star);
    asked("a b.example", "x509: certificate is valid for *.example, not a b.example", root, star);
    asked("-app.example", "x509: certificate is valid for *.example, not -app.example", root, star);
    MadeCertificate part = server("dns:a*.example", "dns:b.*.example", "dns:*").by(root);
    for (String each : List.of("app.example", "b.app.example", "app")) {
      asked(
          each,
          "x509: certificate is valid for a*.example, b.*.example, *, not " + each,
          root,
          part);
    }
    asked("a*.example", "", root, part);
    MadeCertificate common = named(SERVER).by(root);
    asked(
        SERVER,
        "x509: certificate relies on legacy Common Name field, use SANs instead",
        root,
        common);
    asked(
        "other.example",
        "x509: certificate is not valid for any names, but wanted to match other.example",
        root,
        common);
    MadeCertificate ips = server("ip:0a000001", "ip:20010db8000000000000000000000001").by(root);
    asked("10.0.0.1", "", root, ips);
    asked("[10.0.0.1]", "", root, ips);
    asked("::ffff:10.0.0.1", "", root, ips);
    asked("2001:DB8::1", "", root, ips);
    asked("[2001:db8:0::1]", "", root, ips);
    asked(
        "10.0.0.2",
        "x509: certificate is valid for 10.0.0.1, 2001:db8::1, not 10.0.0.2",
        root,
        ips);
    asked(
        "010.0.0.1",
        "x509: certificate is not valid for any names, but wanted to match 010.0.0.1",
        root,
        ips);
    asked(
        "app.example",
        "x509: certificate is not valid for any names, but wanted to match app.example",
        root,
        ips);
    MadeCertificate mapped = server("ip:00000000000000000000ffff0a000001").by(root);
    asked("10.0.0.1", "", root, mapped);
    MadeCertificate asText = server("dns:10.0.0.1").by(root);
    asked(
        "10.0.0.1",
        "x509: cannot validate certificate for 10.0.0.1 because it doesn't contain any IP SANs",
        root,
        asText);
    String[] hundred =
        IntStream.range(0, 100).mapToObj(i -> "dns:a" + i + ".example").toArray(String[]::new);
    asked(
        "app.example",
        "x509: certificate is valid for 100 names, but none matched app.example",
        root,
        server(hundred).by(root));
    asked(
        SERVER,
        "x509: certificate is valid for a?b ?, not app.example",
        root,
        server("dns:a\nb \u001b").by(root));
    add(
        "no subject, critical names",
        "",
        root,
        named("server")
            .subject(sequence())
            .with("2.5.29.17", true, sequence(DerWriter.text(0x82, SERVER)))
            .by(root));
  }

  private void constraint(String verdict, String[] only, String... names) {
    MadeCertificate root = authority("root").selfSigned();
    MadeCertificate middle = authority("middle").only(only).by(root);
    String text = String.join(" ", only) + " above " + String.join(" ", names);
    add(text, verdict, root, server(names).by(middle), middle);
    MadeCertificate limited = authority("root").only(only).selfSigned();
    add(text + ", at the root", verdict, limited, server(names).by(limited));
  }

  private static String[] only(String... names) {
    return names;
  }

  private void constraints() {
    String dns = NOT_FOR + "DNS name \"app.example\" is ";
    constraint("", only("dns:example"), NAME);
    constraint("", only("dns:EXAMPLE"), NAME);
    constraint("", only("dns:app.example"), NAME);
    constraint("", only("dns:.example"), NAME);
    constraint("", only("dns:"), NAME);
    constraint(dns + "not permitted by any constraint", only("dns:.app.example"), NAME);
    constraint(dns + "not permitted by any constraint", only("dns:xample"), NAME);
    constraint(dns + "not permitted by any constraint", only("dns:other"), NAME);
    constraint(dns + "excluded by constraint \"example\"", only("-dns:example"), NAME);
    constraint(dns + "excluded by constraint \"\"", only("-dns:"), NAME);
    constraint(
        dns + "excluded by constraint \"app.example\"",
        only("dns:example", "-dns:app.example"),
        NAME);
    constraint("", only("-dns:other"), NAME);
    constraint("", only("ip:0a000000ff000000"), NAME);
    constraint(
        NOT_FOR + "DNS name \"b.other\" is not permitted by any constraint",
        only("dns:example"),
        NAME,
        "dns:b.other");
    constraint(
        NOT_FOR + "DNS name \"*.example\" is excluded by constraint \"bad.example\"",
        only("-dns:bad.example"),
        NAME,
        "dns:*.example");
    constraint("", only("-dns:a.bad.example"), NAME, "dns:*.example");
    constraint("", only("dns:example"), NAME, "dns:*.example");
    constraint(
        NOT_FOR + "DNS name \"*.example\" is not permitted by any constraint",
        only("dns:app.example"),
        NAME,
        "dns:*.example");
    constraint(
        NOT_FOR + "x509: cannot parse dnsName \"b.example.\"",
        only("dns:example"),
        NAME,
        "dns:b.example.");
    constraint("", only("ip:0a000000ff000000"), NAME, "ip:0a000001");
    constraint(
        NOT_FOR + "IP address \"11.0.0.1\" is not permitted by any constraint",
        only("ip:0a000000ff000000"),
        NAME,
        "ip:0b000001");
    constraint(
        NOT_FOR + "IP address \"10.0.0.1\" is excluded by constraint \"10.0.0.0/8\"",
        only("-ip:0a000000ff000000"),
        NAME,
        "ip:0a000001");
    constraint("", only("-ip:0a000000ffff0000"), NAME, "ip:0a010001");
    constraint(
        NOT_FOR + "IP address \"2001:db8::1\" is excluded by constraint \"2001:db8::/32\"",
        only("-ip:20010db8000000000000000000000000ffffffff000000000000000000000000"),
        NAME,
        "ip:20010db8000000000000000000000001");
    constraint("", only("email:example"), NAME, "email:me@example");
    constraint("", only("email:me@EXAMPLE"), NAME, "email:me@example");
    constraint(
        NOT_FOR + "email address \"you@example\" is not permitted by any constraint",
        only("email:me@example"),
        NAME,
        "email:you@example");
    constraint(
        NOT_FOR + "email address \"me@other\" is not permitted by any constraint",
        only("email:example"),
        NAME,
        "email:me@other");
    constraint(NOT_FOR + "cannot parse rfc822Name \"me\"", only("dns:example"), NAME, "email:me");
    constraint("", only("uri:example"), NAME, "uri:spiffe://a.example/ns/x");
    constraint("", only("uri:example"), NAME, "uri:https://u@a.example:443/?q#f");
    constraint(
        NOT_FOR + "URI \"spiffe://a.other/ns/x\" is not permitted by any constraint",
        only("uri:example"),
        NAME,
        "uri:spiffe://a.other/ns/x");
    constraint(
        NOT_FOR + "URI \"spiffe://a.example/ns/x\" is excluded by constraint \".example\"",
        only("-uri:.example"),
        NAME,
        "uri:spiffe://a.example/ns/x");
    constraint(
        NOT_FOR + "URI with empty host (\"urn:uuid:1\") cannot be matched against constraints",
        only("dns:example"),
        NAME,
        "uri:urn:uuid:1");
    constraint(
        NOT_FOR + "URI with IP (\"https://10.0.0.1/\") cannot be matched against constraints",
        only("dns:example"),
        NAME,
        "uri:https://10.0.0.1/");
    constraint(UNHANDLED, only("dir:x"), NAME);
    MadeCertificate root = authority("root").only("dns:example").selfSigned();
    MadeCertificate withName = authority("middle").names("dns:other").by(root);
    add(
        "an authority's own names are constrained, too",
        NOT_FOR + "DNS name \"other\" is not permitted by any constraint",
        root,
        server(NAME).by(withName),
        withName);
    MadeCertificate free = authority("free").selfSigned();
    MadeCertificate tight = authority("middle").only("dns:other").by(free);
    MadeCertificate wide = named("middle", tight.keys()).constraints(DerWriter.yes()).by(free);
    add("constrained, and another way that is not", "", free, server(NAME).by(tight), tight, wide);
    MadeCertificate self = server(NAME).only("dns:other").selfSigned();
    add("a certificate's constraints are not for itself", "", self, self);
  }

  private static byte[] policies(String... oids) {
    return sequence(Arrays.stream(oids).map(each -> sequence(oid(each))).toArray(byte[][]::new));
  }

  private static MadeCertificate under(MadeCertificate made, String... oids) {
    return made.with("2.5.29.32", false, policies(oids));
  }

  private static MadeCertificate requiring(MadeCertificate made) {
    return made.with("2.5.29.36", true, sequence(tagged(0x80, new byte[] {0})));
  }

  private void policies() {
    String any = "2.5.29.32.0";
    String gold = "1.2.3.1";
    String silver = "1.2.3.2";
    MadeCertificate root = authority("root").selfSigned();
    add("a policy that nobody requires", "", root, under(server(NAME), gold).by(root));
    MadeCertificate strict = under(requiring(authority("middle")), gold).by(root);
    add("required, the same", "", root, under(server(NAME), gold).by(strict), strict);
    add("required, another", NO_POLICY, root, under(server(NAME), silver).by(strict), strict);
    add("required, none", NO_POLICY, root, server(NAME).by(strict), strict);
    add("required, any", "", root, under(server(NAME), any).by(strict), strict);
    MadeCertificate open = under(requiring(authority("middle")), any).by(root);
    add("required of any, some", "", root, under(server(NAME), silver).by(open), open);
    MadeCertificate closed =
        under(requiring(authority("middle")), gold).with("2.5.29.54", true, integer(0)).by(root);
    add("required, any inhibited", NO_POLICY, root, under(server(NAME), any).by(closed), closed);
    MadeCertificate mapping =
        under(requiring(authority("middle")), gold)
            .with("2.5.29.33", true, sequence(sequence(oid(gold), oid(silver))))
            .by(root);
    add("required, mapped", "", root, under(server(NAME), silver).by(mapping), mapping);
    add("required, mapped away", NO_POLICY, root, under(server(NAME), gold).by(mapping), mapping);
    MadeCertificate toAny =
        under(authority("middle"), gold)
            .with("2.5.29.33", true, sequence(sequence(oid(gold), oid(any))))
            .by(root);
    add("mapped to any", NO_POLICY, root, under(server(NAME), gold).by(toAny), toAny);
    MadeCertificate later =
        under(authority("one"), gold)
            .with("2.5.29.36", true, sequence(tagged(0x80, new byte[] {1})))
            .by(root);
    MadeCertificate none = authority("two").by(later);
    add("required after one, leaf next", NO_POLICY, root, server(NAME).by(later), later);
    add("required after one, then lost", NO_POLICY, root, server(NAME).by(none), none, later);
    MadeCertificate ofRoot = requiring(authority("root")).selfSigned();
    add("required by the root does not count", "", ofRoot, server(NAME).by(ofRoot));
    add("required by the leaf", NO_POLICY, root, requiring(server(NAME)).by(root));
  }

  private void parsing() {
    MadeCertificate root = authority("root").selfSigned();
    add(
        "unknown critical extension",
        UNHANDLED,
        root,
        server(NAME).with("1.2.3.4", true, hex("0500")).by(root));
    add("unknown extension", "", root, server(NAME).with("1.2.3.4", false, hex("0500")).by(root));
    add(
        "negative serial number",
        "x509: negative serial number",
        root,
        server(NAME).serial(-1).by(root));
    add("serial number zero", "", root, server(NAME).serial(0).by(root));
    MadeCertificate negative = authority("middle").serial(-5).by(root);
    add(
        "intermediate with a negative serial number",
        "x509: negative serial number",
        root,
        server(NAME).by(negative),
        negative);
    add(
        "unrelated certificate with a negative serial number",
        "x509: negative serial number",
        root,
        server(NAME).by(root),
        negative);
    add(
        "PrintableString with an underscore",
        "x509: invalid RDNSequence: invalid attribute value: invalid PrintableString",
        root,
        server(NAME).subject(MadeCertificate.name(0x13, "a_b")).by(root));
    add(
        "authority key identifier that is critical",
        "x509: authority key identifier incorrectly marked critical",
        root,
        server(NAME).with("2.5.29.35", true, sequence(tagged(0x80, hex("01")))).by(root));
    MadeCertificate mask = authority("middle").only("ip:0a000000ff00ff00").by(root);
    add(
        "constraint with holes in its mask",
        "x509: IP constraint contained invalid mask ff00ff00",
        root,
        server(NAME).by(mask),
        mask);
  }
}
