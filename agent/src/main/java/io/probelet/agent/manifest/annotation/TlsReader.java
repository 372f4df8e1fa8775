package io.probelet.agent.manifest.annotation;

import io.probelet.agent.manifest.field.Field;
import io.probelet.agent.manifest.field.Fields;
import io.probelet.probe.CaCertificates;
import io.probelet.probe.TlsOptions;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads how far a TLS peer is trusted; asking for it at all means to verify, unless told not to.
 */
final class TlsReader {
  private static final Pattern HOST_NAME =
      Pattern.compile("(?=.*[A-Za-z])[A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?");

  private final TlsFiles files;
  private final boolean filesAllowed;

  /** Creates a reader; {@code filesAllowed} is whether files may be named at all. */
  TlsReader(TlsFiles files, boolean filesAllowed) {
    this.files = files;
    this.filesAllowed = filesAllowed;
  }

  /** Returns the options, null when there are none or they have errors. */
  @Nullable TlsOptions read(Field field) {
    Fields tls = field.object();
    if (tls == null) {
      return null;
    }
    int errors = tls.errors();
    boolean verify = tls.field("verify").bool(true);
    Field caFile = tls.field("caFile");
    Path ca = file(caFile);
    if (caFile.isPresent() && !verify) {
      caFile.forbidden("is of no use with verify: false");
    }
    String serverName = serverName(tls.field("serverName"));
    Field certFile = tls.field("certFile");
    Field keyFile = tls.field("keyFile");
    Path cert = file(certFile);
    Path key = file(keyFile);
    if (certFile.isPresent() && !keyFile.isPresent()) {
      keyFile.required("the private key that goes with certFile");
    } else if (keyFile.isPresent() && !certFile.isPresent()) {
      certFile.required("the certificate that goes with keyFile");
    }
    tls.rejectUnknown(Set.of());
    return tls.errors() == errors
        ? new TlsOptions(
            verify, ca == null ? null : new CaCertificates.InFile(ca), serverName, cert, key)
        : null;
  }

  /** Not even whether a file exists is for the author of a cluster's pod to know. */
  private @Nullable Path file(Field field) {
    if (field.isPresent() && !filesAllowed) {
      field.forbidden(
          "annotations of a cluster name no files: write the certificates under ca, or name a profile");
      return null;
    }
    return files.read(field);
  }

  private static @Nullable String serverName(Field field) {
    String name = field.text();
    if (name != null && !HOST_NAME.matcher(name).matches()) {
      field.invalid("must be a host name; IP addresses are never sent as server name");
    }
    return name;
  }
}
