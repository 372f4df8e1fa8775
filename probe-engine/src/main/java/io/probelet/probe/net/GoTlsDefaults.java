package io.probelet.probe.net;

import java.util.List;

/** What TLS accepts in Go; the JDK has to be configured to do the same. */
final class GoTlsDefaults {
  /** What Go's crypto/tls speaks by default, for TLS 1.3 and 1.2. */
  static final List<String> CIPHERS =
      List.of(
          "TLS_AES_128_GCM_SHA256",
          "TLS_AES_256_GCM_SHA384",
          "TLS_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
          "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256",
          "TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA",
          "TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA",
          "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA",
          "TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA");

  /**
   * The groups of key exchange that Go offers. The JDK offers those of Diffie and Hellman up to
   * 8,192 bits as well; a server may ask for one of them, which takes a hundred times as long, on
   * the loop.
   */
  static final List<String> GROUPS = List.of("x25519", "secp256r1", "secp384r1", "secp521r1");

  /** Bytes of one message of a handshake. */
  private static final String MAX_MESSAGE = Integer.toString(256 * 1024);

  /** Go bounds no number of certificates; more than these do not fit into a message. */
  private static final String MAX_CERTIFICATES = "4096";

  private GoTlsDefaults() {}

  /**
   * Raises the JDK's limits, unless they are set. The JDK reads them once, at the first use of TLS
   * in the process. Probelet's programs set them as flags; a program that embeds Probelet and uses
   * TLS earlier must set them too.
   */
  static void raiseBounds() {
    setUnlessSet("jdk.tls.maxHandshakeMessageSize", MAX_MESSAGE);
    setUnlessSet("jdk.tls.client.maxInboundCertificateChainLength", MAX_CERTIFICATES);
  }

  private static void setUnlessSet(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }
}
