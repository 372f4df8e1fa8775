package io.probelet.probe;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * TLS settings of a probe. {@link #INSECURE}, the kubelet's way, accepts any certificate.
 *
 * @param verify whether the certificate chain and its name are checked
 * @param authorities trusted authorities; null means those of the platform
 * @param serverName name to send as SNI and to verify; null means the host, unless it is an IP
 * @param certFile PEM file with the client's certificate chain; null for none
 * @param keyFile PEM file with the client's PKCS#8 key; given if and only if certFile is
 * @param minValidity how long every certificate that the server shows must still be valid; null for
 *     no time
 */
public record TlsOptions(
    boolean verify,
    @Nullable CaCertificates authorities,
    @Nullable String serverName,
    @Nullable Path certFile,
    @Nullable Path keyFile,
    @Nullable Duration minValidity) {
  /** Accepts any certificate, as the kubelet does (H-7). */
  public static final TlsOptions INSECURE = new TlsOptions(false, null, null, null, null);

  /** Rejects a client certificate without its key, or the other way round. */
  public TlsOptions {
    if ((certFile == null) != (keyFile == null)) {
      throw new IllegalArgumentException("a client certificate needs both certFile and keyFile");
    }
  }

  /**
   * Settings that leave it to the certificates how long they are valid.
   *
   * @param verify whether the certificate chain and its name are checked
   * @param authorities trusted authorities; null means those of the platform
   * @param serverName name to send and to verify; null means the host
   * @param certFile PEM file with the client's certificate chain; null for none
   * @param keyFile PEM file with the client's key
   */
  public TlsOptions(
      boolean verify,
      @Nullable CaCertificates authorities,
      @Nullable String serverName,
      @Nullable Path certFile,
      @Nullable Path keyFile) {
    this(verify, authorities, serverName, certFile, keyFile, null);
  }

  /**
   * {@return the same settings for a server of another name}
   *
   * @param name sent and verified; null means the host
   */
  public TlsOptions named(@Nullable String name) {
    return new TlsOptions(verify, authorities, name, certFile, keyFile, minValidity);
  }
}
