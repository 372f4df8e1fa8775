package io.probelet.benchmarks;

import java.nio.file.Path;
import java.util.List;

/**
 * What HTTPS probes meet, for every contender alike.
 *
 * @param key the key of the target, and of the authority that signed its certificate
 * @param protocol the only one that the target agrees to
 * @param verified whether contenders verify the target's certificate
 */
record TlsLoad(Key key, Protocol protocol, boolean verified) {
  static final TlsLoad DEFAULT = new TlsLoad(Key.ECDSA, Protocol.H2, false);

  enum Key {
    /** Of 2,048 bits. */
    RSA,
    /** On secp256r1. */
    ECDSA;

    /** {@return what follows {@code openssl req -newkey}} */
    List<String> options() {
      return switch (this) {
        case RSA -> List.of("rsa:2048");
        case ECDSA -> List.of("ec", "-pkeyopt", "ec_paramgen_curve:prime256v1");
      };
    }
  }

  /** By the name that ALPN has for it. */
  enum Protocol {
    HTTP1("http/1.1"),
    H2("h2");

    private final String alpn;

    Protocol(String alpn) {
      this.alpn = alpn;
    }

    String alpn() {
      return alpn;
    }
  }

  /** {@return the file with the certificate of the authority, see {@link TlsServer#pem}} */
  static Path authority(Path directory) {
    return directory.resolve("authority.pem");
  }

  @Override
  public String toString() {
    return "%s %s %s".formatted(key, protocol.alpn(), verified ? "verified" : "unverified");
  }
}
