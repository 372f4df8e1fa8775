package io.probelet.probe;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * TLS settings of a probe. {@link #INSECURE}, the kubelet's way, accepts any certificate.
 *
 * @param verify whether the certificate chain and its name are checked
 * @param authorities trusted authorities; null means those of the platform
 * @param serverName name to send as SNI and to verify; null means the host, unless it is an IP
 * @param certFile PEM file with the client's certificate chain; null for none
 * @param keyFile PEM file with the client's PKCS#8 key; given if and only if certFile is
 */
public record TlsOptions(
    boolean verify,
    @Nullable CaCertificates authorities,
    @Nullable String serverName,
    @Nullable Path certFile,
    @Nullable Path keyFile) {
  /** Accepts any certificate, as the kubelet does (H-7). */
  public static final TlsOptions INSECURE = new TlsOptions(false, null, null, null, null);

  /** Rejects a client certificate without its key, or the other way round. */
  public TlsOptions {
    if ((certFile == null) != (keyFile == null)) {
      throw new IllegalArgumentException("a client certificate needs both certFile and keyFile");
    }
  }
}
