package io.probelet.remediator.resource;

import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.name.DnsName;
import io.probelet.remediator.resource.HttpsHook.SecretKeyRef;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads which endpoint to call, and how. */
final class HttpsHookReader {
  private static final DurationBounds CALL = new DurationBounds("1s", "1m");
  private static final DurationBounds RETRIES = new DurationBounds("0s", "24h");
  private static final Duration TIMEOUT = Duration.ofSeconds(10);
  private static final Duration RETRY_FOR = Duration.ofMinutes(10);

  private static final int MAX_URL_CHARS = 2048;

  /** A host, perhaps a port, a path and a query; no user, no fragment. */
  private static final Pattern URL =
      Pattern.compile(
          "https://([A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?|\\[[0-9A-Fa-f:]+\\])(:[1-9][0-9]{0,4})?"
              + "([/?](%[0-9A-Fa-f]{2}|[-A-Za-z0-9._~:/?@!$&'()*+,;=])*+)?");

  /** Of base64: enough for a few dozens of certificates. */
  private static final int MAX_CA_CHARS = 65_536;

  private static final int MAX_KEY_CHARS = 253;
  private static final int MAX_PORT = 65_535;
  private static final Pattern KEY = Pattern.compile("[-._a-zA-Z0-9]+");

  private HttpsHookReader() {}

  static @Nullable HttpsHook read(Field field) {
    Fields hook = field.object();
    if (hook == null) {
      return null;
    }
    URI url = url(hook.field("url"));
    List<X509Certificate> authorities = authorities(hook.field("caBundle"));
    SecretKeyRef secret = secret(hook.field("secretRef"));
    Duration timeout = CALL.read(hook.field("timeout"), TIMEOUT);
    Duration retryFor = RETRIES.read(hook.field("retryFor"), RETRY_FOR);
    hook.rejectUnknown(Set.of());
    return url == null ? null : new HttpsHook(url, authorities, secret, timeout, retryFor);
  }

  private static @Nullable URI url(Field field) {
    String text =
        FieldRules.requiredText(field, "the address to call, such as https://bmc.example/");
    if (text == null) {
      return null;
    }
    if (text.length() <= MAX_URL_CHARS && URL.matcher(text).matches()) {
      try {
        URI url = URI.create(text);
        if (url.getHost() != null && url.getPort() <= MAX_PORT) {
          return url;
        }
      } catch (IllegalArgumentException malformed) {
        // said below
      }
    }
    field.invalid(
        "must be https:// and a host, without a user and without a fragment, of no more than 2048"
            + " characters");
    return null;
  }

  private static List<X509Certificate> authorities(Field field) {
    String text = field.text("");
    if (!field.isPresent()) {
      return List.of();
    }
    if (text.length() > MAX_CA_CHARS) {
      field.invalid(text.substring(0, 20), "must be no more than 65536 characters");
      return List.of();
    }
    try {
      List<X509Certificate> found =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(Base64.getDecoder().decode(text)))
              .stream()
              .map(X509Certificate.class::cast)
              .toList();
      if (!found.isEmpty()) {
        return found;
      }
    } catch (IllegalArgumentException | CertificateException malformed) {
      // said below
    }
    field.invalid("must be certificates as PEM, in base64, as in webhook configurations");
    return List.of();
  }

  private static @Nullable SecretKeyRef secret(Field field) {
    Fields reference = field.object();
    if (reference == null) {
      return null;
    }
    Field nameField = reference.field("name");
    Field keyField = reference.field("key");
    String name = FieldRules.requiredText(nameField, "the Secret's name");
    String key = FieldRules.requiredText(keyField, "the key of the value in the Secret");
    reference.rejectUnknown(Set.of());
    if (name != null) {
      DnsName.SUBDOMAIN.check(nameField, name);
    }
    if (key != null && (key.length() > MAX_KEY_CHARS || !KEY.matcher(key).matches())) {
      keyField.invalid("must be no more than 253 letters, digits, '-', '_' and '.'");
    }
    return name == null || key == null ? null : new SecretKeyRef(name, key);
  }
}
