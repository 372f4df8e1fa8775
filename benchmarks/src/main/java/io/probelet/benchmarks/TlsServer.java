package io.probelet.benchmarks;

import java.io.IOException;
import java.io.InputStream;
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

  /** Creates a file with a key and its certificate in OpenSSL's format. */
  static Path pem(Path directory) throws IOException {
    Path pem = directory.resolve("server.pem");
    new ProcessBuilder(
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-subj",
            "/CN=target",
            "-days",
            "30",
            "-keyout",
            "-",
            "-out",
            "-")
        .redirectError(directory.resolve("openssl.log").toFile())
        .redirectOutput(pem.toFile())
        .start()
        .onExit()
        .join();
    return pem;
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
    new ProcessBuilder(keytool)
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("keytool.log").toFile())
        .start()
        .onExit()
        .join();
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
