package io.probelet.manifest.annotation;

import io.probelet.document.field.Complaint;
import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.health.GoDuration;
import io.probelet.probe.CaCertificates;
import io.probelet.probe.TlsOptions;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads TLS settings. If they are present, certificates are verified unless they disable it. */
public final class TlsReader {
  private static final Pattern HOST_NAME =
      Pattern.compile("(?=.*[A-Za-z])[A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?");

  /** Ten years. */
  private static final Duration LONGEST_VALIDITY = Duration.ofDays(3650);

  private final TlsFiles files;
  private final boolean filesAllowed;
  private final Map<String, String> inline = new HashMap<>();

  /**
   * Creates a reader.
   *
   * @param filesAllowed whether files may be named
   */
  public TlsReader(TlsFiles files, boolean filesAllowed) {
    this.files = files;
    this.filesAllowed = filesAllowed;
  }

  /**
   * Reads the settings.
   *
   * @return the options, null when there are none or they have errors
   */
  public @Nullable TlsOptions read(Field field) {
    Fields tls = field.object();
    if (tls == null) {
      return null;
    }
    int errors = tls.errors();
    boolean verify = tls.field("verify").bool(true);
    Field caFile = tls.field("caFile");
    Field ca = tls.field("ca");
    CaCertificates authorities = authorities(caFile, ca);
    for (Field given : List.of(caFile, ca)) {
      if (given.isPresent() && !verify) {
        given.forbidden("has no effect with verify: false");
      }
    }
    String serverName = serverName(tls.field("serverName"));
    Field certFile = tls.field("certFile");
    Field keyFile = tls.field("keyFile");
    Path cert = file(certFile);
    Path key = file(keyFile);
    if (certFile.isPresent() && !keyFile.isPresent()) {
      keyFile.required("the private key for certFile");
    } else if (keyFile.isPresent() && !certFile.isPresent()) {
      certFile.required("the certificate for keyFile");
    }
    Duration minValidity = minValidity(tls.field("minValidity"));
    tls.rejectUnknown(Set.of());
    return tls.errors() == errors
        ? new TlsOptions(verify, authorities, serverName, cert, key, minValidity)
        : null;
  }

  private @Nullable CaCertificates authorities(Field caFile, Field ca) {
    Path file = file(caFile);
    if (caFile.isPresent() && ca.isPresent()) {
      ca.forbidden("only one of ca and caFile is allowed");
    }
    if (file != null) {
      return new CaCertificates.InFile(file);
    }
    String pem = ca.text();
    if (pem == null) {
      return null;
    }
    // An alias repeats a text with few characters, and parsing takes milliseconds.
    String wrong = inline.computeIfAbsent(pem, TlsReader::complaint);
    if (!wrong.isEmpty()) {
      ca.error(Complaint.INVALID_VALUE, "Invalid value: " + wrong);
      return null;
    }
    return new CaCertificates.Inline(pem);
  }

  /** Returns the error of certificates, empty if there is none. */
  private static String complaint(String pem) {
    try {
      CaCertificates.Inline _ = new CaCertificates.Inline(pem);
    } catch (IllegalArgumentException wrong) {
      return String.valueOf(wrong.getMessage());
    }
    try {
      CertificateFactory.getInstance("X.509")
          .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)));
      return "";
      // the parser receives untrusted input
    } catch (CertificateException | RuntimeException broken) {
      return "must hold valid PEM certificates";
    }
  }

  /** The author of a cluster's pod must not even learn whether a file exists. */
  private @Nullable Path file(Field field) {
    if (field.isPresent() && !filesAllowed) {
      field.forbidden(
          "annotations in a cluster may not name files; put the certificates into ca, or use a"
              + " profile");
      return null;
    }
    return files.read(field);
  }

  /** P-30: more than the longest validity there is would be a mistake. */
  private static @Nullable Duration minValidity(Field field) {
    Duration value = field.duration();
    if (value != null && (!value.isPositive() || value.compareTo(LONGEST_VALIDITY) > 0)) {
      field.invalid("must be above 0s, and at most " + GoDuration.format(LONGEST_VALIDITY));
    }
    return value;
  }

  private static @Nullable String serverName(Field field) {
    String name = field.text();
    if (name != null && !HOST_NAME.matcher(name).matches()) {
      field.invalid("must be a host name; IP addresses are never sent as server name");
    }
    return name;
  }
}
