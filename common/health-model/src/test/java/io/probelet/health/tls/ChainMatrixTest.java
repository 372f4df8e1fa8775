package io.probelet.health.tls;

import static io.probelet.health.tls.ChainCases.NAME;
import static io.probelet.health.tls.MadeCertificate.named;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.tls.ChainCases.Case;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Each kind of leaf below each kind of intermediate below each kind of root. */
class ChainMatrixTest {
  private static final String CLIENTS = "1.3.6.1.5.5.7.3.2";
  private static final int SIGNS_DATA = 0x80;

  private static final List<String> LEAVES =
      List.of(
          "good",
          "expired",
          "early",
          "other",
          "common",
          "clients",
          "forged",
          "sha1",
          "critical",
          "authority");

  private static final List<String> MIDDLES =
      List.of(
          "none", "good", "expired", "early", "usual", "data", "low", "clients", "inside",
          "outside", "sha1", "forged", "missing");

  private static final List<String> ROOTS =
      List.of(
          "good", "expired", "early", "usual", "low", "clients", "outside", "other", "middle",
          "leaf");

  /** The beginnings of messages, by their letter in the table. */
  private static final Map<String, String> LETTERS =
      Map.of(
          "x509: certificate has expired or is not yet valid: ",
          "E",
          "x509: certificate is valid for other.example, not app.example",
          "N",
          "x509: certificate relies on legacy Common Name field",
          "C",
          "x509: certificate signed by unknown authority (",
          "S",
          ChainCases.UNKNOWN,
          "U",
          ChainCases.NO_USAGE,
          "K",
          ChainCases.UNHANDLED,
          "X",
          ChainCases.TOO_LONG,
          "L",
          "x509: a root or intermediate certificate is not authorized to sign",
          "P");

  /** The verdicts of Go 1.26: a line is a leaf and an intermediate, a column a root. */
  private static final String TABLE =
      """
      good      none     .EES.KPUU.
      good      good     .EESLKPU..
      good      expired  EEEEEEEEE.
      good      early    EEEEEEEEE.
      good      usual    SSSSSSSSS.
      good      data     SSSSSSSSS.
      good      low      .EESLKPU..
      good      clients  KEESLKKUK.
      good      inside   .EESLKPU..
      good      outside  PEESLKPUP.
      good      sha1     SSSSSSSU..
      good      forged   SSSSSSSU..
      good      missing  UUUUUUUU..
      expired   none     EEEEEEEEEE
      expired   good     EEEEEEEEEE
      expired   expired  EEEEEEEEEE
      expired   early    EEEEEEEEEE
      expired   usual    EEEEEEEEEE
      expired   data     EEEEEEEEEE
      expired   low      EEEEEEEEEE
      expired   clients  EEEEEEEEEE
      expired   inside   EEEEEEEEEE
      expired   outside  EEEEEEEEEE
      expired   sha1     EEEEEEEEEE
      expired   forged   EEEEEEEEEE
      expired   missing  EEEEEEEEEE
      early     none     EEEEEEEEEE
      early     good     EEEEEEEEEE
      early     expired  EEEEEEEEEE
      early     early    EEEEEEEEEE
      early     usual    EEEEEEEEEE
      early     data     EEEEEEEEEE
      early     low      EEEEEEEEEE
      early     clients  EEEEEEEEEE
      early     inside   EEEEEEEEEE
      early     outside  EEEEEEEEEE
      early     sha1     EEEEEEEEEE
      early     forged   EEEEEEEEEE
      early     missing  EEEEEEEEEE
      other     none     NNNNNNNNNN
      other     good     NNNNNNNNNN
      other     expired  NNNNNNNNNN
      other     early    NNNNNNNNNN
      other     usual    NNNNNNNNNN
      other     data     NNNNNNNNNN
      other     low      NNNNNNNNNN
      other     clients  NNNNNNNNNN
      other     inside   NNNNNNNNNN
      other     outside  NNNNNNNNNN
      other     sha1     NNNNNNNNNN
      other     forged   NNNNNNNNNN
      other     missing  NNNNNNNNNN
      common    none     CCCCCCCCCC
      common    good     CCCCCCCCCC
      common    expired  CCCCCCCCCC
      common    early    CCCCCCCCCC
      common    usual    CCCCCCCCCC
      common    data     CCCCCCCCCC
      common    low      CCCCCCCCCC
      common    clients  CCCCCCCCCC
      common    inside   CCCCCCCCCC
      common    outside  CCCCCCCCCC
      common    sha1     CCCCCCCCCC
      common    forged   CCCCCCCCCC
      common    missing  CCCCCCCCCC
      clients   none     KEESKKKUUK
      clients   good     KEESLKKUKK
      clients   expired  EEEEEEEEEK
      clients   early    EEEEEEEEEK
      clients   usual    SSSSSSSSSK
      clients   data     SSSSSSSSSK
      clients   low      KEESLKKUKK
      clients   clients  KEESLKKUKK
      clients   inside   KEESLKKUKK
      clients   outside  KEESLKKUKK
      clients   sha1     SSSSSSSUKK
      clients   forged   SSSSSSSUKK
      clients   missing  UUUUUUUUKK
      forged    none     SSSSSSSUU.
      forged    good     SSSSSSSSS.
      forged    expired  SSSSSSSSS.
      forged    early    SSSSSSSSS.
      forged    usual    SSSSSSSSS.
      forged    data     SSSSSSSSS.
      forged    low      SSSSSSSSS.
      forged    clients  SSSSSSSSS.
      forged    inside   SSSSSSSSS.
      forged    outside  SSSSSSSSS.
      forged    sha1     SSSSSSSSS.
      forged    forged   SSSSSSSSS.
      forged    missing  UUUUUUUUS.
      sha1      none     SSSSSSSUU.
      sha1      good     SSSSSSSSS.
      sha1      expired  SSSSSSSSS.
      sha1      early    SSSSSSSSS.
      sha1      usual    SSSSSSSSS.
      sha1      data     SSSSSSSSS.
      sha1      low      SSSSSSSSS.
      sha1      clients  SSSSSSSSS.
      sha1      inside   SSSSSSSSS.
      sha1      outside  SSSSSSSSS.
      sha1      sha1     SSSSSSSSS.
      sha1      forged   SSSSSSSSS.
      sha1      missing  UUUUUUUUS.
      critical  none     XXXXXXXXXX
      critical  good     XXXXXXXXXX
      critical  expired  XXXXXXXXXX
      critical  early    XXXXXXXXXX
      critical  usual    XXXXXXXXXX
      critical  data     XXXXXXXXXX
      critical  low      XXXXXXXXXX
      critical  clients  XXXXXXXXXX
      critical  inside   XXXXXXXXXX
      critical  outside  XXXXXXXXXX
      critical  sha1     XXXXXXXXXX
      critical  forged   XXXXXXXXXX
      critical  missing  XXXXXXXXXX
      authority none     .EES.KPUU.
      authority good     .EESLKPU..
      authority expired  EEEEEEEEE.
      authority early    EEEEEEEEE.
      authority usual    SSSSSSSSS.
      authority data     SSSSSSSSS.
      authority low      .EESLKPU..
      authority clients  KEESLKKUK.
      authority inside   .EESLKPU..
      authority outside  PEESLKPUP.
      authority sha1     SSSSSSSU..
      authority forged   SSSSSSSU..
      authority missing  UUUUUUUU..
      """;

  static List<Case> all() {
    List<Case> cases = new ArrayList<>();
    for (String leaf : LEAVES) {
      for (String middle : MIDDLES) {
        for (String root : ROOTS) {
          cases.add(made(leaf, middle, root));
        }
      }
    }
    return cases;
  }

  private static final KeyPair ROOT = MadeCertificate.keys("EC", 256);
  private static final KeyPair MIDDLE = MadeCertificate.keys("EC", 256);
  private static final Map<String, MadeCertificate> MADE = new HashMap<>();
  private static final KeyPair LEAF = MadeCertificate.keys("EC", 256);

  private static MadeCertificate authority(String name, KeyPair keys) {
    return named(name, keys).constraints(DerWriter.yes());
  }

  private static MadeCertificate server(String name) {
    return named("server", LEAF).names(name);
  }

  private static MadeCertificate root(String kind) {
    MadeCertificate root =
        switch (kind) {
          case "expired" -> authority("root", ROOT).expired();
          case "early" -> authority("root", ROOT).early();
          case "usual" -> named("root", ROOT);
          case "low" -> authority("root", ROOT).above(0);
          case "clients" -> authority("root", ROOT).purposes(CLIENTS);
          case "outside" -> authority("root", ROOT).only("dns:inside.example");
          case "other" -> authority("other", ROOT);
          default -> authority("root", ROOT);
        };
    return root.selfSigned();
  }

  private static MadeCertificate middle(String kind) {
    MadeCertificate middle =
        switch (kind) {
          case "expired" -> authority("middle", MIDDLE).expired();
          case "early" -> authority("middle", MIDDLE).early();
          case "usual" -> named("middle", MIDDLE);
          case "data" -> authority("middle", MIDDLE).usage(SIGNS_DATA);
          case "low" -> authority("middle", MIDDLE).above(0);
          case "clients" -> authority("middle", MIDDLE).purposes(CLIENTS);
          case "inside" -> authority("middle", MIDDLE).only("dns:example");
          case "outside" -> authority("middle", MIDDLE).only("-dns:example");
          case "sha1" -> authority("middle", MIDDLE).algorithm("SHA1withECDSA");
          case "forged" -> authority("middle", MIDDLE).forged();
          default -> authority("middle", MIDDLE);
        };
    return middle.by(named("root", ROOT));
  }

  private static MadeCertificate leaf(String kind, MadeCertificate issuer) {
    MadeCertificate leaf =
        switch (kind) {
          case "expired" -> server(NAME).expired();
          case "early" -> server(NAME).early();
          case "other" -> server("dns:other.example");
          case "common" -> named(ChainCases.SERVER, LEAF);
          case "clients" -> server(NAME).purposes(CLIENTS);
          case "forged" -> server(NAME).forged();
          case "sha1" -> server(NAME).algorithm("SHA1withECDSA");
          case "critical" -> server(NAME).with("1.2.3.4", true, DerWriter.hex("0500"));
          case "authority" -> authority("server", LEAF).names(NAME);
          default -> server(NAME);
        };
    return leaf.by(issuer);
  }

  /** Certificates are signed once each; sharing keys makes no difference. */
  private static Case made(String leafKind, String middleKind, String rootKind) {
    MadeCertificate root = MADE.computeIfAbsent("root " + rootKind, kind -> root(rootKind));
    MadeCertificate middle =
        MADE.computeIfAbsent("middle " + middleKind, kind -> middle(middleKind));
    boolean direct = middleKind.equals("none");
    MadeCertificate leaf =
        MADE.computeIfAbsent(
            "leaf " + leafKind + direct,
            kind -> leaf(leafKind, direct ? named("root", ROOT) : middle));
    List<X509Certificate> shown = new ArrayList<>(List.of(leaf.certificate()));
    if (!direct && !middleKind.equals("missing")) {
      shown.add(middle.certificate());
    }
    MadeCertificate trusted =
        switch (rootKind) {
          case "middle" -> middle;
          case "leaf" -> leaf;
          default -> root;
        };
    return new Case(
        leafKind + " < " + middleKind + " < " + rootKind,
        shown,
        List.of(trusted.certificate()),
        ChainCases.SERVER,
        "");
  }

  @Test
  @DisplayName("TLS-1 leaf, intermediate and root are verified as in Go")
  void matrix() throws Exception {
    StringBuilder table = new StringBuilder();
    for (String leaf : LEAVES) {
      for (String middle : MIDDLES) {
        StringJoiner line = new StringJoiner("");
        for (String root : ROOTS) {
          line.add(letter(ServerVerifierTest.verdict(made(leaf, middle, root))));
        }
        table.append("%-10s%-8s %s\n".formatted(leaf, middle, line));
      }
    }
    assertThat(table.toString()).isEqualTo(TABLE);
  }

  private static String letter(String verdict) {
    if (verdict.isEmpty()) {
      return ".";
    }
    return LETTERS.entrySet().stream()
        .filter(each -> verdict.startsWith(each.getKey()))
        .max(Map.Entry.comparingByKey())
        .map(Map.Entry::getValue)
        .orElse(verdict);
  }
}
