package io.probelet.kube.certificate;

import io.probelet.health.TimeSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A read-only folder with a server's certificates: either our own authority, {@code ca.crt} and
 * {@code ca.key}, which issues one-day certificates in memory, or {@code tls.crt} and {@code
 * tls.key}, renewed by others. Files are read each time, as they may change. Not thread-safe.
 */
public final class CertificateFolder {
  /** The authority's certificate. */
  public static final String CA_CERTIFICATE = "ca.crt";

  /** The authority's key. */
  public static final String CA_KEY = "ca.key";

  private static final String CERTIFICATE = "tls.crt";
  private static final String KEY = "tls.key";
  private static final int MAX_BYTES = 64 * 1024;
  private static final Duration VALIDITY = Duration.ofDays(1);

  private final Path folder;
  private final List<String> names;
  private final TimeSource time;
  private @Nullable Pair lastAuthority;
  private @Nullable ServingCertificate issued;
  private @Nullable Pair lastGiven;
  private @Nullable ServingCertificate given;

  /** The content of the folder. */
  public sealed interface Found {
    /**
     * A usable certificate.
     *
     * @param concern a warning about it; empty if there is none
     */
    record Certificate(ServingCertificate certificate, String concern) implements Found {}

    /** No usable certificate. */
    record Nothing(String why) implements Found {}
  }

  private record Pair(String certificate, String key) {}

  /**
   * Creates an instance without reading.
   *
   * @param folder the folder, which need not exist
   */
  public CertificateFolder(Path folder, List<String> names, TimeSource time) {
    this.folder = folder;
    this.names = List.copyOf(names);
    this.time = time;
  }

  /**
   * Creates an instance without an authority: others provide certificates, for any names. Nothing
   * is read yet.
   *
   * @param folder the folder, which need not exist
   */
  public static CertificateFolder ofFiles(Path folder, TimeSource time) {
    return new CertificateFolder(folder, List.of(), time);
  }

  /**
   * Reads the folder.
   *
   * @return the certificate to use from now on; the same as before while it is still good
   */
  public Found read() {
    try {
      Optional<Pair> authority = names.isEmpty() ? Optional.empty() : pair(CA_CERTIFICATE, CA_KEY);
      if (authority.isPresent()) {
        return new Found.Certificate(issued(authority.get()), "");
      }
      Optional<Pair> files = pair(CERTIFICATE, KEY);
      return files.isPresent() ? given(files.get()) : new Found.Nothing(nothing());
    } catch (IOException | GeneralSecurityException unusable) {
      return new Found.Nothing(unusable.getMessage() + ", in " + folder);
    }
  }

  private String nothing() {
    if (names.isEmpty()) {
      return "no %s with its %s in %s".formatted(CERTIFICATE, KEY, folder);
    }
    return "neither %s and %s nor %s and %s in %s; `probelet webhook-setup` creates the first two"
        .formatted(CA_CERTIFICATE, CA_KEY, CERTIFICATE, KEY, folder);
  }

  private ServingCertificate issued(Pair authority) throws GeneralSecurityException {
    Instant now = time.wallTime();
    ServingCertificate last = issued;
    if (last != null && authority.equals(lastAuthority) && !last.isDue(now)) {
      return last;
    }
    CertificateAuthority read;
    try {
      read = CertificateAuthority.read(authority.certificate(), authority.key());
    } catch (GeneralSecurityException spoilt) {
      throw unusable(CA_CERTIFICATE, CA_KEY, spoilt);
    }
    if (!now.isBefore(read.certificate().getNotAfter().toInstant())) {
      throw new GeneralSecurityException(CA_CERTIFICATE + " has expired");
    }
    ServingCertificate next = read.issue(names, now, VALIDITY);
    issued = next;
    lastAuthority = authority;
    return next;
  }

  private Found given(Pair files) throws GeneralSecurityException {
    ServingCertificate certificate = given;
    if (certificate == null || !files.equals(lastGiven)) {
      try {
        certificate = ServingCertificate.read(files.certificate(), files.key());
      } catch (GeneralSecurityException spoilt) {
        throw unusable(CERTIFICATE, KEY, spoilt);
      }
      given = certificate;
      lastGiven = files;
    }
    String concern = "";
    if (!names.isEmpty() && !certificate.isFor(names.getFirst())) {
      concern = CERTIFICATE + " is not valid for " + names.getFirst();
    } else if (certificate.isDue(time.wallTime())) {
      concern = CERTIFICATE + " expires at " + certificate.until() + "; renew it";
    }
    return new Found.Certificate(certificate, concern);
  }

  private static GeneralSecurityException unusable(
      String certificate, String key, GeneralSecurityException why) {
    return new GeneralSecurityException(
        "%s and %s cannot be used: %s".formatted(certificate, key, why.getMessage()), why);
  }

  private Optional<Pair> pair(String certificate, String key) throws IOException {
    Path first = folder.resolve(certificate);
    Path second = folder.resolve(key);
    return Files.exists(first) && Files.exists(second)
        ? Optional.of(new Pair(text(first), text(second)))
        : Optional.empty();
  }

  private static String text(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IOException(file.getFileName() + " is not a regular file");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new IOException(file.getFileName() + " is larger than " + MAX_BYTES + " bytes");
      }
      return new String(bytes, StandardCharsets.UTF_8);
    }
  }
}
