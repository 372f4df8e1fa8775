package io.probelet.kube.certificate;

import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A server's certificate and its key.
 *
 * @param chain the certificate, followed by intermediates, if any
 * @param key the key of the first
 */
public record ServingCertificate(List<X509Certificate> chain, PrivateKey key) {
  /** Keeps an unmodifiable copy of the chain. */
  public ServingCertificate {
    chain = List.copyOf(chain);
  }

  /**
   * Reads a certificate and key created by any tool.
   *
   * @throws GeneralSecurityException if the texts are not a certificate and its key; the message is
   *     for the user
   */
  public static ServingCertificate read(String chainPem, String keyPem)
      throws GeneralSecurityException {
    List<X509Certificate> chain = Pem.certificates(chainPem);
    return new ServingCertificate(chain, Pem.key(keyPem, chain.getFirst().getPublicKey()));
  }

  /** {@return the end of its validity} */
  public Instant until() {
    return chain.getFirst().getNotAfter().toInstant();
  }

  /**
   * Returns whether it should be replaced: with a third of its life left.
   *
   * @return true if a new one is due
   */
  boolean isDue(Instant now) {
    Instant from = chain.getFirst().getNotBefore().toInstant();
    Instant due = until().minus(Duration.between(from, until()).dividedBy(3));
    return !now.isBefore(due);
  }

  /**
   * Returns whether a client that asks for this name would accept it.
   *
   * @return true if it is one of the certificate's names
   */
  boolean isFor(String name) {
    try {
      var alternatives = chain.getFirst().getSubjectAlternativeNames();
      return alternatives != null
          && alternatives.stream().anyMatch(entry -> covers(String.valueOf(entry.get(1)), name));
    } catch (GeneralSecurityException unreadable) {
      return false;
    }
  }

  private static boolean covers(String own, String name) {
    return own.equals(name)
        || (own.startsWith("*.") && own.substring(1).equals(name.substring(name.indexOf('.'))));
  }
}
