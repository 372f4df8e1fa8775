package io.probelet.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import org.jspecify.annotations.Nullable;

/** The key of an API server as kubeadm creates it, with its self-signed certificate. */
record TlsServer(KeyManagerFactory keys, Path certificate) {
  private static final String PASSWORD = "changeit";
  private static final String ALIAS = "server";

  /** Creates a valid certificate for 127.0.0.1. */
  static TlsServer valid(Path directory) throws IOException, GeneralSecurityException {
    return make(directory, "valid", List.of("-validity", "30"));
  }

  /** Creates an expired certificate. */
  static TlsServer expired(Path directory) throws IOException, GeneralSecurityException {
    return make(directory, "expired", List.of("-startdate", "-10d", "-validity", "5"));
  }

  /**
   * Creates a certificate for 127.0.0.1 in OpenSSL's format, with its key in a file beside it as
   * haproxy finds it, and {@link TlsLoad#authority} that signed it: who verifies has one signature
   * to compute, as for most servers.
   */
  static Path pem(Path directory, TlsLoad.Key key) {
    Path authority = request(directory, TlsLoad.authority(directory), key, "/CN=authority");
    return request(
        directory,
        directory.resolve("server.pem"),
        key,
        "/CN=target",
        "-CA",
        authority.toString(),
        "-CAkey",
        authority + ".key",
        "-addext",
        "subjectAltName=DNS:target,IP:127.0.0.1",
        "-addext",
        "basicConstraints=critical,CA:FALSE");
  }

  private static Path request(
      Path directory, Path certificate, TlsLoad.Key key, String subject, String... more) {
    List<String> command = new ArrayList<>(List.of("openssl", "req", "-x509", "-newkey"));
    command.addAll(key.options());
    command.addAll(List.of("-nodes", "-days", "30", "-subj", subject));
    command.addAll(List.of("-keyout", certificate + ".key", "-out", certificate.toString()));
    command.addAll(List.of(more));
    run(directory.resolve("openssl.log"), command);
    return certificate;
  }

  private static void run(Path log, List<String> command) {
    try {
      new ProcessBuilder(command)
          .redirectErrorStream(true)
          .redirectOutput(log.toFile())
          .start()
          .onExit()
          .join();
    } catch (IOException missing) {
      throw new UncheckedIOException(missing);
    }
  }

  private static TlsServer make(Path directory, String name, List<String> validity)
      throws IOException, GeneralSecurityException {
    Path store = directory.resolve(name + ".p12");
    List<String> keytool =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "RSA",
                "-keysize",
                "2048",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=ip:127.0.0.1",
                "-alias",
                ALIAS,
                "-storepass",
                PASSWORD,
                "-keystore",
                store.toString()));
    keytool.addAll(validity);
    run(directory.resolve("keytool.log"), keytool);
    KeyStore pair = KeyStore.getInstance("PKCS12");
    char @Nullable [] password = PASSWORD.toCharArray();
    try (InputStream in = Files.newInputStream(store)) {
      pair.load(in, password);
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(pair, password);
    Path certificate = directory.resolve(name + ".pem");
    Files.writeString(
        certificate,
        "-----BEGIN CERTIFICATE-----\n"
            + Base64.getMimeEncoder(64, new byte[] {'\n'})
                .encodeToString(pair.getCertificate(ALIAS).getEncoded())
            + "\n-----END CERTIFICATE-----\n");
    return new TlsServer(keys, certificate);
  }
}
