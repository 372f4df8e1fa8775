package io.probelet.remediator.resource;

import java.net.URI;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An endpoint to call.
 *
 * @param authorities whose certificates it may have; empty for those that the system trusts
 * @param secretOrNull where the key is with which calls are signed; null if they are not
 * @param timeout how long one call may take
 * @param retryFor how long a call that has failed is repeated; zero for not at all
 */
public record HttpsHook(
    URI url,
    List<X509Certificate> authorities,
    @Nullable SecretKeyRef secretOrNull,
    Duration timeout,
    Duration retryFor) {
  /** Keeps an unmodifiable copy. */
  public HttpsHook {
    authorities = List.copyOf(authorities);
  }

  /** {@return where the key is with which calls are signed; empty if they are not} */
  public Optional<SecretKeyRef> secret() {
    return Optional.ofNullable(secretOrNull);
  }

  /** A value in a Secret of the remediation's namespace. */
  public record SecretKeyRef(String name, String key) {}
}
