package io.probelet.health.tls;

import static io.probelet.health.tls.DerWriter.bits;
import static io.probelet.health.tls.DerWriter.hex;
import static io.probelet.health.tls.DerWriter.integer;
import static io.probelet.health.tls.DerWriter.octets;
import static io.probelet.health.tls.DerWriter.oid;
import static io.probelet.health.tls.DerWriter.sequence;
import static io.probelet.health.tls.DerWriter.tagged;
import static io.probelet.health.tls.DerWriter.text;
import static io.probelet.health.tls.DerWriter.time;
import static io.probelet.health.tls.DerWriter.yes;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A certificate with any valid or invalid content. */
public final class MadeCertificate {
  /** A time at which certificates are valid by default. */
  public static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");

  private static final Instant FROM = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant UNTIL = Instant.parse("2028-01-01T00:00:00Z");

  /** Algorithms of signatures, by their Java name. */
  private static final Map<String, byte[]> ALGORITHMS =
      Map.of(
          "SHA256withECDSA", sequence(oid("1.2.840.10045.4.3.2")),
          "SHA384withECDSA", sequence(oid("1.2.840.10045.4.3.3")),
          "SHA1withECDSA", sequence(oid("1.2.840.10045.4.1")),
          "SHA256withRSA", sequence(oid("1.2.840.113549.1.1.11"), hex("0500")),
          "SHA512withRSA", sequence(oid("1.2.840.113549.1.1.13"), hex("0500")),
          "SHA1withRSA", sequence(oid("1.2.840.113549.1.1.5"), hex("0500")),
          "MD5withRSA", sequence(oid("1.2.840.113549.1.1.4"), hex("0500")),
          "Ed25519", sequence(oid("1.3.101.112")));

  private static int serials = 1;

  private final KeyPair keys;
  private final Map<String, byte[]> extensions = new LinkedHashMap<>();
  private byte[] subject;
  private long serial = serials++;
  private int version = 3;
  private Instant from = FROM;
  private Instant until = UNTIL;
  private String algorithm = "";
  private boolean forged;
  private X509Certificate made;

  private MadeCertificate(byte[] subject, KeyPair keys) {
    this.subject = subject;
    this.keys = keys;
  }

  /** Starts a certificate with a common name and its own key. */
  public static MadeCertificate named(String name) {
    return named(name, keys("EC", 256));
  }

  /** Starts a certificate with a given key. */
  public static MadeCertificate named(String name, KeyPair keys) {
    return new MadeCertificate(name(0x0c, name), keys);
  }

  /** An authority. */
  public static MadeCertificate authority(String name) {
    return named(name).constraints(yes());
  }

  /** A server's. */
  public static MadeCertificate server(String... names) {
    return named("server").names(names);
  }

  /** Makes keys. */
  public static KeyPair keys(String algorithm, int bits) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
      if (bits > 0) {
        generator.initialize(bits);
      }
      return generator.generateKeyPair();
    } catch (GeneralSecurityException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** A name of one part. */
  public static byte[] name(int tag, String common) {
    return sequence(tagged(0x31, sequence(oid("2.5.4.3"), text(tag, common))));
  }

  /** {@return its keys} */
  public KeyPair keys() {
    return keys;
  }

  /** Replaces the subject. */
  public MadeCertificate subject(byte[] encoded) {
    subject = encoded;
    return this;
  }

  /** Replaces the serial number. */
  public MadeCertificate serial(long number) {
    serial = number;
    return this;
  }

  /** Replaces the version. */
  public MadeCertificate version(int number) {
    version = number;
    return this;
  }

  /** Sets its validity. */
  public MadeCertificate valid(String begin, String end) {
    from = Instant.parse(begin);
    until = Instant.parse(end);
    return this;
  }

  /** Expired a year ago. */
  public MadeCertificate expired() {
    return valid("2024-01-01T00:00:00Z", "2025-01-01T00:00:00Z");
  }

  /** Valid from next year on. */
  public MadeCertificate early() {
    return valid("2027-01-01T00:00:00Z", "2028-01-01T00:00:00Z");
  }

  /** Sets the signature algorithm. */
  public MadeCertificate algorithm(String java) {
    algorithm = java;
    return this;
  }

  /** Gets an invalid signature. */
  public MadeCertificate forged() {
    forged = true;
    return this;
  }

  /** Adds an extension. */
  public MadeCertificate with(String oid, boolean critical, byte[] value) {
    extensions.put(
        oid,
        critical ? sequence(oid(oid), yes(), octets(value)) : sequence(oid(oid), octets(value)));
    return this;
  }

  /** Basic constraints. */
  public MadeCertificate constraints(byte[]... content) {
    return with("2.5.29.19", true, sequence(content));
  }

  /** Basic constraints of an authority with a path length. */
  public MadeCertificate above(int others) {
    return constraints(yes(), integer(others));
  }

  /** Key usage, by its first byte. */
  public MadeCertificate usage(int bits) {
    return with("2.5.29.15", true, bits(new byte[] {(byte) bits}));
  }

  /** Extended key usage. */
  public MadeCertificate purposes(String... oids) {
    return with(
        "2.5.29.37",
        false,
        sequence(Arrays.stream(oids).map(DerWriter::oid).toArray(byte[][]::new)));
  }

  /** Alternative names, such as dns:a.example or ip:7f000001. */
  public MadeCertificate names(String... names) {
    return with(
        "2.5.29.17",
        false,
        sequence(Arrays.stream(names).map(MadeCertificate::generalName).toArray(byte[][]::new)));
  }

  /** Name constraints: permitted, and excluded where they begin with a minus. */
  public MadeCertificate only(String... names) {
    List<byte[]> permitted = new ArrayList<>();
    List<byte[]> excluded = new ArrayList<>();
    for (String each : names) {
      if (each.startsWith("-")) {
        excluded.add(sequence(generalName(each.substring(1))));
      } else {
        permitted.add(sequence(generalName(each)));
      }
    }
    byte[] none = {};
    return with(
        "2.5.29.30",
        true,
        sequence(
            permitted.isEmpty() ? none : tagged(0xa0, permitted.toArray(byte[][]::new)),
            excluded.isEmpty() ? none : tagged(0xa1, excluded.toArray(byte[][]::new))));
  }

  private static byte[] generalName(String typed) {
    int colon = typed.indexOf(':');
    String value = typed.substring(colon + 1);
    return switch (typed.substring(0, colon)) {
      case "email" -> text(0x81, value);
      case "dns" -> text(0x82, value);
      case "dir" -> tagged(0xa4, name(0x0c, value));
      case "uri" -> text(0x86, value);
      case "ip" -> tagged(0x87, hex(value));
      case "id" -> tagged(0x88, oid(value).length == 0 ? hex("") : hex("2a03"));
      default -> throw new IllegalArgumentException(typed);
    };
  }

  /** Self-signs it. */
  public MadeCertificate selfSigned() {
    return by(this);
  }

  /** Signs it by an authority. */
  public MadeCertificate by(MadeCertificate issuer) {
    return by(issuer.subject, issuer.keys.getPrivate());
  }

  private MadeCertificate by(byte[] issuer, PrivateKey key) {
    String java =
        !algorithm.isEmpty()
            ? algorithm
            : switch (key.getAlgorithm()) {
              case "RSA" -> "SHA256withRSA";
              case "EdDSA" -> "Ed25519";
              default -> "SHA256withECDSA";
            };
    byte[] identifier = ALGORITHMS.get(java);
    byte[] none = {};
    byte[] content =
        sequence(
            version == 1 ? none : tagged(0xa0, integer(version - 1)),
            integer(serial),
            identifier,
            issuer,
            sequence(time(from), time(until)),
            subject,
            keys.getPublic().getEncoded(),
            extensions.isEmpty()
                ? none
                : tagged(0xa3, sequence(extensions.values().toArray(byte[][]::new))));
    try {
      Signature signature = Signature.getInstance(java);
      signature.initSign(key);
      signature.update(content);
      if (forged) {
        signature.update((byte) 1);
      }
      byte[] der = sequence(content, identifier, bits(signature.sign()));
      made =
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(der));
      return this;
    } catch (GeneralSecurityException failed) {
      throw new AssertionError(failed);
    }
  }

  /** {@return the certificate, once it is signed} */
  public X509Certificate certificate() {
    return made;
  }

  /** Writes the certificate as PEM. */
  public String pem() {
    try {
      return "-----BEGIN CERTIFICATE-----\n"
          + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(made.getEncoded())
          + "\n-----END CERTIFICATE-----\n";
    } catch (GeneralSecurityException impossible) {
      throw new AssertionError(impossible);
    }
  }

  /** A server's context with this certificate and others. */
  public SSLContext serving(MadeCertificate... others) {
    try {
      KeyStore shown = KeyStore.getInstance("PKCS12");
      shown.load(null, null);
      List<X509Certificate> chain = new ArrayList<>(List.of(made));
      Arrays.stream(others).map(MadeCertificate::certificate).forEach(chain::add);
      char[] none = {};
      shown.setKeyEntry("server", keys.getPrivate(), none, chain.toArray(X509Certificate[]::new));
      KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
      factory.init(shown, none);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(factory.getKeyManagers(), null, null);
      return context;
    } catch (GeneralSecurityException | IOException failed) {
      throw new AssertionError(failed);
    }
  }
}
