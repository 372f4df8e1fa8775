package io.probelet.health;

import java.io.IOException;
import java.io.PrintStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * Creates certificates with the JDK's keytool: an authority and the certificates it has signed, in
 * one store.
 */
public final class Certificates {
  private static final String PASSWORD = "changeit";

  static {
    // The password is not secret; the default ten thousand rounds per entry and read dominated the
    // time of TLS tests.
    for (String rounds : List.of("certPbe", "keyPbe", "mac")) {
      System.setProperty("keystore.pkcs12." + rounds + "IterationCount", "1");
    }
  }

  private final Path directory;
  private final Path store;

  /** Starts with an authority named "ca". */
  public Certificates(Path directory) {
    this.directory = directory;
    this.store = directory.resolve("store.p12");
    generate("ca", "-ext", "bc:c");
  }

  /** Adds a certificate signed by the authority. */
  public Certificates add(String alias, String... options) {
    List<String> all = new ArrayList<>(List.of("-signer", "ca"));
    all.addAll(Arrays.asList(options));
    generate(alias, all.toArray(String[]::new));
    return this;
  }

  private void generate(String alias, String... options) {
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                alias,
                "-dname",
                "CN=" + alias,
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD));
    arguments.addAll(Arrays.asList(options));
    try {
      // Runs in this JVM, since a process takes most of a second to start. There is no public API
      // to create certificates.
      Class<?> keytool = Class.forName("sun.security.tools.keytool.Main");
      Object exitCode =
          keytool
              .getMethod("run", String[].class, PrintStream.class)
              .invoke(
                  keytool.getConstructor().newInstance(),
                  arguments.toArray(String[]::new),
                  System.out);
      if (!exitCode.equals(0)) {
        throw new AssertionError("keytool has said why: " + arguments);
      }
    } catch (ReflectiveOperationException failed) {
      throw new LinkageError("the JVM lacks the argLine of the root pom.xml", failed);
    }
  }

  /** Writes a certificate's chain as PEM. */
  public Path certificate(String alias) {
    StringBuilder pem = new StringBuilder();
    try {
      for (Certificate each : read().getCertificateChain(alias)) {
        pem.append(pem("CERTIFICATE", each.getEncoded()));
      }
      return written(alias + ".crt", pem.toString());
    } catch (GeneralSecurityException | IOException failed) {
      throw new AssertionError(failed);
    }
  }

  /** Writes a private key as PKCS#8 PEM. */
  public Path key(String alias) {
    try {
      Key key = read().getKey(alias, PASSWORD.toCharArray());
      return written(alias + ".key", pem("PRIVATE KEY", key.getEncoded()));
    } catch (GeneralSecurityException | IOException failed) {
      throw new AssertionError(failed);
    }
  }

  /** Tests run in parallel, so files are replaced atomically. */
  private Path written(String name, String pem) throws IOException {
    Path whole = Files.writeString(Files.createTempFile(directory, name, null), pem);
    return Files.move(whole, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
  }

  /** A server's context with one certificate that trusts the authority. */
  public SSLContext server(String alias) {
    try {
      KeyStore shown = KeyStore.getInstance("PKCS12");
      shown.load(null, null);
      char[] password = PASSWORD.toCharArray();
      shown.setKeyEntry(
          alias, read().getKey(alias, password), password, read().getCertificateChain(alias));
      KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
      keys.init(shown, password);
      KeyStore trusted = KeyStore.getInstance("PKCS12");
      trusted.load(null, null);
      trusted.setCertificateEntry("ca", read().getCertificate("ca"));
      TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException failed) {
      throw new AssertionError(failed);
    }
  }

  /** A certificate with its chain. */
  public X509Certificate[] chain(String alias) {
    try {
      return Arrays.stream(read().getCertificateChain(alias))
          .map(X509Certificate.class::cast)
          .toArray(X509Certificate[]::new);
    } catch (GeneralSecurityException | IOException failed) {
      throw new AssertionError(failed);
    }
  }

  /** A server's context with a certificate and chain chosen by the test. */
  public SSLContext showing(String alias, UnaryOperator<X509Certificate[]> shown) {
    try {
      PrivateKey key = (PrivateKey) read().getKey(alias, PASSWORD.toCharArray());
      X509Certificate[] chain = chain(alias);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {new Showing(key, shown.apply(chain))}, null, null);
      return context;
    } catch (GeneralSecurityException | IOException failed) {
      throw new AssertionError(failed);
    }
  }

  private static final class Showing extends X509ExtendedKeyManager {
    private final PrivateKey key;
    private final X509Certificate[] chain;

    Showing(PrivateKey key, X509Certificate[] chain) {
      this.key = key;
      this.chain = chain;
    }

    @Override
    public String chooseServerAlias(String type, Principal[] issuers, Socket socket) {
      return type.equals(key.getAlgorithm()) ? "shown" : null;
    }

    @Override
    public X509Certificate[] getCertificateChain(String alias) {
      return chain.clone();
    }

    @Override
    public PrivateKey getPrivateKey(String alias) {
      return key;
    }

    @Override
    public String[] getServerAliases(String type, Principal[] issuers) {
      return new String[] {"shown"};
    }

    @Override
    public String[] getClientAliases(String type, Principal[] issuers) {
      return new String[0];
    }

    @Override
    public String chooseClientAlias(String[] types, Principal[] issuers, Socket socket) {
      return null;
    }
  }

  private KeyStore read() throws GeneralSecurityException, IOException {
    return KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
  }

  private static String pem(String what, byte[] encoded) {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
    return "-----BEGIN " + what + "-----\n" + base64 + "\n-----END " + what + "-----\n";
  }
}
